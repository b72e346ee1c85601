import { describe, expect, test } from "vitest";
import { emptyProject } from "./built-cli.ts";

describe("--json prints exactly one document", () => {
  test.each([
    [["init", "--dir", "."], 0, "init"],
    [["init", "--dir", "/proc/nowhere"], 2, "init"],
    [["create", "--name", "my_calc", "--from-template", "python_script"], 0, "create"],
    [["create", "--name", "../x"], 2, "create"],
    [["create"], 2, "create"],
    [["config", "list"], 0, "config list"],
    [["config", "get", "llm.model"], 0, "config get"],
    [["config", "get", "nothing.here"], 2, "config get"],
    [["config", "set", "concurrency", "8"], 0, "config set"],
    [["config", "set", "concurrency", "many"], 2, "config set"],
    [["eval", "--skills", "nowhere"], 2, "eval"],
    [["eval"], 2, "eval"],
    [["--version"], 0, null],
    [["--help"], 0, null],
    [["evil"], 2, null],
    [[], 2, null],
  ] as const)("%j ends with %i", async (argv, exitCode, command) => {
    await using place = await emptyProject();

    const { code, document, stdout } = await place.run([...argv, "--json"]);

    expect(code).toBe(exitCode);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(document).toMatchObject({ schemaVersion: 1, command });
    if (exitCode !== 0) expect(document).toMatchObject({ exitCode, error: { code: expect.any(String) } });
  });
});

describe("manners", () => {
  test("--version prints the version of the package and nothing else", async () => {
    await using place = await emptyProject();
    const { stdout, stderr, code } = await place.run(["--version"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("every command's help has examples", async () => {
    await using place = await emptyProject();
    for (const command of [[], ["init"], ["create"], ["eval"], ["config"], ["config", "set"]]) {
      const { stdout, code } = await place.run([...command, "--help"]);
      expect(code).toBe(0);
      expect(stdout, command.join(" ")).toContain("Examples:\n  $ eval-skills");
    }
  });

  test("global options work before and after the command", async () => {
    await using place = await emptyProject();
    const before = await place.run(["--json", "config", "get", "concurrency"]);
    const after = await place.run(["config", "get", "concurrency", "--json"]);
    expect(before.stdout).toBe(after.stdout);
    expect(before.document).toMatchObject({ key: "concurrency", value: 4, origin: "default" });
  });

  test("configuration: flag over project over user over default, key by key", async () => {
    await using place = await emptyProject();
    await place.run(["config", "set", "concurrency", "7"]);
    await place.run(["config", "set", "timeoutMs", "1234"]);
    await place.write("eval-skills.config.yaml", "concurrency: 3\nllm:\n  temperature: 1\n");

    const { document } = await place.run(["config", "list", "--json"]);

    expect(document.values).toMatchObject({
      concurrency: 3,
      timeoutMs: 1234,
      llm: { temperature: 1, model: "gpt-4o" },
    });
    expect(document.origins).toMatchObject({
      concurrency: "project",
      timeoutMs: "user",
      "llm.temperature": "project",
      "llm.model": "default",
    });
  });

  test("no colour without a terminal", async () => {
    await using place = await emptyProject();
    const { stdout, stderr } = await place.run(["eval", "--skills", "nowhere"]);
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
