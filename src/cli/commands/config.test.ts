import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";

const userFile = (home: string) => join(home, ".eval-skills/config.yaml");
const mode = (path: string) => statSync(path).mode & 0o777;

describe("config", () => {
  test("list shows every effective value with its origin", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "eval-skills.config.yaml"), "timeoutMs: 5\n");
    await cli.run(["config", "set", "concurrency", "8"]);
    const { document } = await cli.run(["config", "list", "--json"]);
    expect(document).toMatchObject({
      command: "config list",
      values: { concurrency: 8, timeoutMs: 5, llm: { model: "gpt-4o" } },
      origins: { concurrency: "user", timeoutMs: "project", "llm.model": "default" },
    });
    const { stdout } = await cli.run(["config", "list"]);
    const origins = stdout.split("\n").slice(0, 3);
    expect(new Set(origins.map((line) => line.lastIndexOf("  ("))).size).toBe(1);
    expect(stdout).toMatch(/^concurrency +8 +\(user\)\ntimeoutMs +5 +\(project\)\n/);
  });

  test("a file in the place of the folder ~/.eval-skills holds no configuration", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.home, ".eval-skills"), "");
    const { stdout, exitCode } = await cli.run(["config", "get", "concurrency"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "4\n", exitCode: 0 });
  });

  test("get tells one value, or a group with the origin of its strongest member", async () => {
    await using cli = await capturedCli();
    await cli.run(["config", "set", "llm.temperature", "0.5"]);
    expect((await cli.run(["config", "get", "llm.temperature"])).stdout).toBe("0.5\n");
    expect((await cli.run(["config", "get", "llm", "--json"])).document).toMatchObject({
      key: "llm",
      value: { temperature: 0.5, model: "gpt-4o" },
      origin: "user",
    });
    expect((await cli.run(["config", "get", "agent.interpreters..py", "--json"])).document).toMatchObject({
      value: "python3",
    });
  });

  test("set checks, writes and tells", async () => {
    await using cli = await capturedCli();
    const { document, exitCode } = await cli.run(["config", "set", "concurrency", "8", "--json"]);
    expect(exitCode).toBe(0);
    expect(document).toEqual({
      schemaVersion: 1,
      command: "config set",
      key: "concurrency",
      value: 8,
      origin: "user",
    });
    expect((await cli.run(["config", "get", "concurrency", "--json"])).document).toMatchObject({
      value: 8,
      origin: "user",
    });
  });

  test("set keeps the other keys and the comments of the file", async () => {
    await using cli = await capturedCli();
    mkdirSync(join(cli.home, ".eval-skills"));
    writeFileSync(userFile(cli.home), "# mine\nconcurrency: 2 # few\nllm:\nnotes: x\n");
    await cli.run(["config", "set", "llm.model", "m: 1"]);
    await cli.run(["config", "set", "defaultFormats", "json,html"]);
    const text = readFileSync(userFile(cli.home), "utf8");
    expect(text).toMatch(/# mine\nconcurrency: 2 # few\n/);
    expect(text).toContain('model: "m: 1"');
    expect((await cli.run(["config", "get", "defaultFormats"])).stdout).toBe('["json","html"]\n');
  });

  test("set says so when a project file wins", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "eval-skills.config.yaml"), "concurrency: 2\n");
    expect((await cli.run(["config", "set", "concurrency", "8"])).stderr).toMatch(
      /also sets concurrency and takes precedence in this project; .* `eval-skills config set --project concurrency <value>`/,
    );
  });

  test("set --project writes the project's file and keeps its comments", async () => {
    await using cli = await capturedCli();
    const file = join(cli.cwd, "eval-skills.config.yaml");
    const first = await cli.run(["config", "set", "--project", "concurrency", "8", "--json"]);
    expect(first.document).toMatchObject({ key: "concurrency", value: 8, origin: "project" });
    writeFileSync(file, "# ours\nconcurrency: 2 # few\n");
    const { stderr } = await cli.run(["config", "set", "concurrency", "6", "--project"]);
    expect(stderr).toContain("written to ");
    expect(stderr).not.toContain("takes precedence");
    expect(readFileSync(file, "utf8")).toBe("# ours\nconcurrency: 6 # few\n");
    expect((await cli.run(["config", "get", "concurrency"])).stdout).toBe("6\n");
    expect(() => statSync(userFile(cli.home))).toThrow();
  });

  test("set --project changes a JSON file, and the one named with -c", async () => {
    await using cli = await capturedCli();
    const file = join(cli.cwd, "other.json");
    writeFileSync(file, '{"timeoutMs":5}');
    await cli.run(["-c", "other.json", "config", "set", "--project", "llm.model", "m"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ timeoutMs: 5, llm: { model: "m" } });
  });

  test.each([
    ["llm.apiKey", "sk-secret"],
    ["sandbox.network", "open"],
  ])("set --project %s is exit 2: it belongs into the user's own file", async (key, value) => {
    await using cli = await capturedCli();
    const { document } = await cli.run(["config", "set", "--project", key, value, "--json"]);
    expect(document).toMatchObject({ error: { code: "config-invalid" }, exitCode: 2 });
    expect(() => statSync(join(cli.cwd, "eval-skills.config.yaml"))).toThrow();
  });

  test.each([
    ["concurrency", "abc"],
    ["concurrency", "-1"],
    ["concurency", "1"],
    ["llm", "x"],
    ["sandbox.floor", "off"],
    ["prices.gpt.inputPerMTok", "1"],
  ])("set %s %s is exit 2 and writes nothing", async (key, value) => {
    await using cli = await capturedCli();
    const { exitCode, stdout } = await cli.run(["config", "set", key, value]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(() => statSync(userFile(cli.home))).toThrow();
  });

  test("set on a broken file is exit 2 and leaves it alone", async () => {
    await using cli = await capturedCli();
    mkdirSync(join(cli.home, ".eval-skills"));
    writeFileSync(userFile(cli.home), "a: [\n");
    expect((await cli.run(["config", "set", "concurrency", "8"])).exitCode).toBe(2);
    expect(readFileSync(userFile(cli.home), "utf8")).toBe("a: [\n");
  });

  test("a write that fails is exit 2", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.home, ".eval-skills"), "a file where the folder belongs");
    const { document } = await cli.run(["config", "set", "concurrency", "8", "--json"]);
    expect(document).toMatchObject({
      error: { code: expect.stringMatching(/output-unwritable/) },
      exitCode: 2,
    });
  });

  test("case 12: llm.apiKey is written with mode 0600 into a folder of 0700, and shown as ****", async () => {
    await using cli = await capturedCli();
    mkdirSync(join(cli.home, ".eval-skills"), { mode: 0o755 });
    writeFileSync(userFile(cli.home), "concurrency: 2\n", { mode: 0o644 });
    const outputs = [
      await cli.run(["config", "set", "llm.apiKey", "sk-secret-1"]),
      await cli.run(["config", "set", "llm.apiKey", "sk-secret-2", "--json"]),
      await cli.run(["config", "get", "llm.apiKey"]),
      await cli.run(["config", "get", "llm", "--json"]),
      await cli.run(["config", "list"]),
      await cli.run(["config", "list", "--json"]),
    ];
    for (const { exitCode, stdout, stderr } of outputs) {
      expect(exitCode).toBe(0);
      expect(stdout).toContain("****");
      expect(stdout + stderr).not.toContain("sk-secret");
    }
    expect(mode(userFile(cli.home))).toBe(0o600);
    expect(mode(join(cli.home, ".eval-skills"))).toBe(0o700);
    expect(readFileSync(userFile(cli.home), "utf8")).toContain("sk-secret-2");
  });

  test("the user part of an address is not shown", async () => {
    await using cli = await capturedCli();
    await cli.run(["config", "set", "llm.baseUrl", "https://me:pass@host/v1"]);
    expect((await cli.run(["config", "get", "llm.baseUrl"])).stdout).toBe("https://[redacted]@host/v1\n");
  });

  test.each(["a.__proto__.x", "__proto__.x", "models.__proto__.baseUrl", "agent.interpreters.constructor"])(
    "fault row 41: config set %s is exit 2 and pollutes nothing",
    async (key) => {
      await using cli = await capturedCli();
      const { document } = await cli.run(["config", "set", key, "1", "--json"]);
      expect(document).toMatchObject({ error: { code: "usage" }, exitCode: 2 });
      expect(({} as Record<string, unknown>).x).toBeUndefined();
      expect(({} as Record<string, unknown>).baseUrl).toBeUndefined();
    },
  );
});
