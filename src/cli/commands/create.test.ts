import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { Benchmark } from "../../contract/benchmark.ts";
import { AdapterConfig, SkillManifest } from "../../contract/unit-skill.ts";
import { checkUnknownKeys } from "../../shared/files/check-document.ts";
import { parseYamlText } from "../../shared/files/read-text-file.ts";
import { knownKeys } from "../../shared/json/known-keys.ts";

const hostile = `"quotes" '''triple''' """triple""" \\ \${x} $(touch pwned)\n---\nimport os; os.system("touch pwned")\t# <img> 计算`;
const shared = ["adapter.config.json", "skill.json", "tests", "tests/basic.eval.json"];

function filesIn(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).sort();
}

function readJson(...path: string[]) {
  return JSON.parse(readFileSync(join(...path), "utf8"));
}

/** Sends lines to a program and returns its answers. */
function ask(folder: string, script: string, lines: readonly unknown[]) {
  const input = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const program = script.endsWith(".py") ? "python3" : process.execPath;
  const output = execFileSync(program, [script], { cwd: folder, input: `${input}\n`, encoding: "utf8" });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const request = (id: number, method: string, params: unknown) => ({ jsonrpc: "2.0", id, method, params });

describe("create", () => {
  test("http_request is the default template", async () => {
    await using cli = await capturedCli();
    const { document, exitCode } = await cli.run(["create", "--name", "My API skill", "--json"]);
    expect(exitCode).toBe(0);
    expect(document).toMatchObject({ command: "create", id: "my_api_skill", path: "skills/my_api_skill" });
    const folder = join(cli.cwd, document.path);
    expect(filesIn(folder)).toEqual(shared);
    for (const file of document.files) expect(existsSync(join(cli.cwd, file))).toBe(true);
    expect(readJson(folder, "skill.json")).toMatchObject({
      id: "my_api_skill",
      name: "My API skill",
      version: "0.1.0",
      description: "My API skill: describe what it does and when to use it",
      tags: [],
      adapterType: "http",
      entrypoint: "http://localhost:3000/invoke",
      metadata: { license: "MIT" },
    });
    expect(readJson(folder, "adapter.config.json")).toEqual({
      type: "http",
      baseUrl: "http://localhost:3000",
      authType: "none",
      timeoutMs: 15000,
    });
    expect(readJson(folder, "tests/basic.eval.json")).toEqual({
      id: "my_api_skill-basic",
      name: "my_api_skill basic",
      version: "0.1.0",
      domain: "general",
      scoringMethod: "mean",
      tasks: [
        {
          id: "basic_001",
          description: "Mentions the query",
          inputData: { query: "hello" },
          expectedOutput: { type: "contains", keywords: ["hello"] },
          evaluator: { type: "contains" },
        },
      ],
    });
  });

  test.each([
    ["http_request", shared],
    ["python_script", [...shared, "skill.py"]],
    ["mcp_tool", [...shared, "server.mjs"]],
    ["agent_skill", [...shared, "SKILL.md", "scripts", "scripts/main.py"]],
  ])("%s has its files, and all of them pass our own schemas", async (template, files) => {
    await using cli = await capturedCli();
    const { document } = await cli.run(["create", "--name", "x1", "--from-template", template, "--json"]);
    const folder = join(cli.cwd, document.path);
    expect(filesIn(folder)).toEqual([...files].sort());
    const manifest = readJson(folder, "skill.json");
    const benchmark = readJson(folder, "tests/basic.eval.json");
    expect(SkillManifest.parse(manifest).id).toBe("x1");
    expect(AdapterConfig.parse(readJson(folder, "adapter.config.json")).type).toBe(manifest.adapterType);
    expect(Benchmark.parse(benchmark).tasks).toHaveLength(1);
    const at = { path: "x", code: "skill-invalid" } as const;
    expect(checkUnknownKeys(manifest, knownKeys(SkillManifest), at)).toEqual([]);
    expect(checkUnknownKeys(benchmark, knownKeys(Benchmark), at)).toEqual([]);
  });

  test.each([
    ["python_script", "my_calc", "skill.py"],
    ["agent_skill", "my-calc", "scripts/main.py"],
  ])("the program of %s answers its starter task, in both lifecycles", async (template, id, script) => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "my_calc", "--from-template", template]);
    const folder = join(cli.cwd, "skills", id);
    const [first, unknown, broken, noJson, last] = ask(folder, script, [
      request(1, "invoke", { query: "hello" }),
      request(2, "other", {}),
      request(3, "invoke", {}),
      "no json",
      request(5, "invoke", { query: "计算" }),
    ]);
    expect(first).toEqual({ jsonrpc: "2.0", id: 1, result: { result: "You asked: hello" } });
    expect(unknown).toMatchObject({ id: 2, error: { code: -32601 } });
    expect(broken).toMatchObject({ id: 3, error: { code: -32000, message: "KeyError: 'query'" } });
    expect(noJson).toMatchObject({ id: null, error: { code: -32700 } });
    expect(last).toMatchObject({ id: 5, result: { result: "You asked: 计算" } });
  });

  test("a persistent process answers before its input ends", async () => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "p", "--from-template", "python_script"]);
    const skill = spawn("python3", ["skill.py"], { cwd: join(cli.cwd, "skills/p") });
    const answers = createInterface({ input: skill.stdout })[Symbol.asyncIterator]();
    for (const id of [1, 2]) {
      skill.stdin.write(`${JSON.stringify(request(id, "invoke", { query: "hello" }))}\n`);
      const { value } = await answers.next();
      expect(JSON.parse(value)).toEqual({ jsonrpc: "2.0", id, result: { result: "You asked: hello" } });
    }
    skill.stdin.end();
    expect(await once(skill, "exit")).toEqual([0, null]);
  });

  test("agent_skill: id, folder and frontmatter name are one kebab-case word", async () => {
    await using cli = await capturedCli();
    const argv = ["create", "--name", "My_Notes  v2!", "--from-template", "agent_skill", "--json"];
    expect((await cli.run(argv)).document).toMatchObject({ id: "my-notes-v2", path: "skills/my-notes-v2" });
    const text = readFileSync(join(cli.cwd, "skills/my-notes-v2/SKILL.md"), "utf8");
    const [, frontmatter = ""] = text.split("---\n");
    expect(await parseYamlText(frontmatter, "skill-invalid", "SKILL.md")).toMatchObject({
      name: "my-notes-v2",
    });
    expect(readJson(cli.cwd, "skills/my-notes-v2/skill.json").id).toBe("my-notes-v2");
  });

  test("the note says what to type next, and that a server comes first where one is called", async () => {
    await using cli = await capturedCli();
    const http = await cli.run(["create", "--name", "api"]);
    const script = await cli.run(["create", "--name", "calc", "--from-template", "python_script"]);

    expect(http.stderr).toBe(
      "next: start your server on http://localhost:3000 first, then: eval-skills test skills/api\n",
    );
    expect(script.stderr).toBe("next: eval-skills test skills/calc\n");
  });

  test("the parent folder can be chosen", async () => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "x", "--output-dir", "a/b"]);
    expect(existsSync(join(cli.cwd, "a/b/x/skill.json"))).toBe(true);
  });

  test("the server of mcp_tool speaks the protocol, and refuses what it does not know", async () => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "my_tool", "--from-template", "mcp_tool"]);
    const folder = join(cli.cwd, "skills/my_tool");
    // It may answer in any order.
    const answers = ask(folder, "server.mjs", [
      request(1, "initialize", { protocolVersion: "2999-01-01", capabilities: {} }),
      request(2, "initialize", { protocolVersion: "2024-11-05", capabilities: {} }),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      request(3, "ping", {}),
      request(4, "tools/list", {}),
      request(5, "tools/call", { name: "ask", arguments: { query: "计算" } }),
      request(6, "tools/call", { name: "sing", arguments: {} }),
      request(7, "tools/call", { name: "ask", arguments: {} }),
      request(8, "constructor", {}),
      "no json",
    ]);

    expect(Object.fromEntries(answers.map(({ id, result, error }) => [id, result ?? error.code]))).toEqual({
      1: expect.objectContaining({ protocolVersion: "2025-11-25", capabilities: { tools: {} } }),
      2: expect.objectContaining({ protocolVersion: "2024-11-05" }),
      3: {},
      4: { tools: [expect.objectContaining({ name: "ask" })] },
      5: expect.objectContaining({ structuredContent: { result: "You asked: 计算" } }),
      6: -32602,
      7: -32602,
      8: -32601,
      null: -32700,
    });
    expect(readJson(folder, "skill.json").metadata.toolName).toBe("ask");
  });

  test("prompt_tools: a manifest with one declared tool, a prompt, its script, its tests and trigger queries", async () => {
    await using cli = await capturedCli();
    const argv = ["create", "--name", "Read Back", "--from-template", "prompt_tools", "--json"];
    const { document, stderr } = await cli.run(argv);
    const folder = join(cli.cwd, document.path);
    expect(filesIn(folder)).toEqual([
      ...["SYSTEM.md", "eval.yaml", "scripts", "scripts/echo_query.py"],
      ...["skill.json", "tests", "tests/echo_query.eval.json"],
    ]);
    expect(readJson(folder, "skill.json")).toMatchObject({
      schema_version: "ah32.skill.v1",
      meta: { id: "read_back", name: "Read Back", version: "0.1.0" },
      entry: { system_prompt: "SYSTEM.md" },
      tools: [{ name: "echo_query" }],
    });
    expect(Benchmark.parse(readJson(folder, "tests/echo_query.eval.json"))).toMatchObject({
      id: "read_back-echo_query",
      tasks: [
        { inputData: { query: "hello" } },
        { inputData: {}, expectedOutput: { type: "tool_error", code: "bad-arguments" } },
      ],
    });
    expect(stderr).toBe("next: eval-skills test skills/read_back\n");
  });

  test("prompt_tools: its conversations pass, also under a name that YAML would take for a number", async () => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "2024", "--from-template", "prompt_tools"]);

    const env = { PATH: process.env.PATH ?? "" };
    const { exitCode, document } = await cli.run(["agent", "eval", "skills/2024", "--json"], { env });

    expect([exitCode, document.total, document.passed]).toEqual([0, 2, 2]);
  });

  test.each(["x", "_x", "-x y"])("the name %j makes no id that prompt_tools can have", async (name) => {
    await using cli = await capturedCli();
    const argv = ["create", `--name=${name}`, "--from-template", "prompt_tools", "--json"];
    expect((await cli.run(argv)).document).toMatchObject({ error: { code: "usage" }, exitCode: 2 });
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  const templates = ["http_request", "python_script", "mcp_tool", "agent_skill", "prompt_tools"];

  test("doctor finds what every template makes clean, once it is described", async () => {
    await using described = await capturedCli();
    await using bare = await capturedCli();
    const description = "Gives back what it was asked. Use when somebody wants to hear their own words.";
    for (const template of templates) {
      const argv = ["create", "--name", `My ${template}`, "--from-template", template];
      await described.run([...argv, "--description", description]);
      await bare.run(argv);
    }

    const clean = await described.run(["doctor", "skills", "--json"]);
    const placeholders = await bare.run(["doctor", "skills", "--json"]);

    expect(clean.document.diagnostics).toEqual([]);
    expect(clean.document.counts).toMatchObject({ skills: 5, clean: 5 });
    const codes = placeholders.document.diagnostics.map(
      ({ skill, code }: { skill: string; code: string }) => `${skill} ${code}`,
    );
    expect(codes.sort()).toEqual([
      ...["my-agent-skill SKD08", "my_http_request SKD08", "my_mcp_tool SKD08"],
      ...["my_prompt_tools SKD08", "my_python_script SKD08"],
    ]);
  });

  test("--name is required", async () => {
    await using cli = await capturedCli();
    const { document } = await cli.run(["create", "--json"]);
    expect(document).toMatchObject({
      error: { code: "usage", message: "missing required option --name" },
      exitCode: 2,
    });
  });
});

describe("case 12: nothing outside, nothing executed, nothing overwritten", () => {
  test.each([
    "../../x",
    "a/b",
    "a\\b",
    "..",
    "a..b",
    "",
    "   ",
    "!!!",
    "计算",
    "a\nb",
    "a\u001b[31m",
    "x".repeat(65),
  ])("the name %j is exit 2 and writes nothing", async (name) => {
    await using cli = await capturedCli();
    const { document } = await cli.run(["create", "--name", name, "--json"]);
    expect(document).toMatchObject({ error: { code: "usage" }, exitCode: 2 });
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test.each(["", "bell \u0007", "x".repeat(1025)])("the description %j is exit 2", async (description) => {
    await using cli = await capturedCli();
    expect((await cli.run(["create", "--name", "x", "--description", description])).exitCode).toBe(2);
    expect(readdirSync(cli.cwd)).toEqual([]);
  });

  test.each(["http_request", "python_script", "agent_skill"])(
    "a hostile name and description stay text in every file of %s",
    async (template) => {
      await using cli = await capturedCli();
      const name = 'x"; import os #';
      const argv = [
        "create",
        "--name",
        name,
        "--from-template",
        template,
        "--description",
        hostile,
        "--json",
      ];
      const { document, exitCode } = await cli.run(argv);
      expect(exitCode).toBe(0);
      const folder = join(cli.cwd, document.path);
      expect(readJson(folder, "skill.json")).toMatchObject({ name, description: hostile });
      for (const file of filesIn(folder).filter((one) => one.endsWith(".py"))) {
        expect(readFileSync(join(folder, file), "utf8")).not.toMatch(/pwned|import os/);
        expect(ask(folder, file, [request(1, "invoke", { query: "hi" })])).toMatchObject([{ id: 1 }]);
      }
      if (template === "agent_skill") {
        const [, frontmatter = "", body = ""] = readFileSync(join(folder, "SKILL.md"), "utf8").split(
          /^---\n/m,
        );
        const read = await parseYamlText(frontmatter, "skill-invalid", "SKILL.md");
        expect(read).toEqual({ name: document.id, description: hostile, license: "MIT" });
        expect(body).not.toContain("pwned");
      }
      expect(existsSync(join(folder, "pwned")) || existsSync(join(cli.cwd, "pwned"))).toBe(false);
    },
  );

  test("a hostile name and description stay text in the one file of prompt_tools that holds them", async () => {
    await using cli = await capturedCli();
    const argv = ["create", "--name", 'x"; import os #', "--from-template", "prompt_tools", "--json"];
    const { document } = await cli.run([...argv, "--description", hostile]);
    const folder = join(cli.cwd, document.path);
    expect(readJson(folder, "skill.json").meta).toMatchObject({
      name: 'x"; import os #',
      description: hostile,
    });
    for (const file of ["SYSTEM.md", "eval.yaml", "scripts/echo_query.py"])
      expect(readFileSync(join(folder, file), "utf8")).not.toMatch(/pwned|import os|x"/);
  });

  test("an existing folder is exit 2 and stays as it is; a file and a dangling link too", async () => {
    await using cli = await capturedCli();
    mkdirSync(join(cli.cwd, "skills/x"), { recursive: true });
    writeFileSync(join(cli.cwd, "skills/x/mine.txt"), "mine");
    writeFileSync(join(cli.cwd, "skills/y"), "mine");
    symlinkSync("/nowhere/at/all", join(cli.cwd, "skills/z"));
    for (const name of ["x", "y", "z"]) {
      const { document } = await cli.run(["create", "--name", name, "--json"]);
      expect(document).toMatchObject({ error: { code: "usage", hint: expect.stringContaining("--force") } });
    }
    expect(filesIn(join(cli.cwd, "skills"))).toEqual(["x", "x/mine.txt", "y", "z"]);
  });

  test("--force replaces the generated files and keeps the others", async () => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "x", "--from-template", "python_script"]);
    writeFileSync(join(cli.cwd, "skills/x/mine.txt"), "mine");
    writeFileSync(join(cli.cwd, "skills/x/skill.py"), "changed");
    const argv = ["create", "--name", "x", "--from-template", "python_script", "--force"];
    expect((await cli.run(argv)).exitCode).toBe(0);
    expect(readFileSync(join(cli.cwd, "skills/x/mine.txt"), "utf8")).toBe("mine");
    expect(readFileSync(join(cli.cwd, "skills/x/skill.py"), "utf8")).toMatch(/^"""A skill/);
  });

  test("--force follows no link out of the folder, and checks before it writes", async () => {
    await using cli = await capturedCli();
    await using outside = await capturedCli();
    await cli.run(["create", "--name", "x"]);
    const folder = join(cli.cwd, "skills/x");
    execFileSync("rm", ["-r", join(folder, "tests"), join(folder, "skill.json")]);
    symlinkSync(outside.cwd, join(folder, "tests"));
    expect((await cli.run(["create", "--name", "x", "--force"])).exitCode).toBe(2);
    expect(existsSync(join(folder, "skill.json"))).toBe(false);
    symlinkSync(outside.cwd, join(cli.cwd, "skills/linked"));
    expect((await cli.run(["create", "--name", "linked", "--force"])).exitCode).toBe(2);
    expect(readdirSync(outside.cwd)).toEqual([]);
  });

  test("--force replaces a linked file instead of writing through the link", async () => {
    await using cli = await capturedCli();
    await cli.run(["create", "--name", "x"]);
    const victim = join(cli.cwd, "victim.txt");
    writeFileSync(victim, "precious");
    execFileSync("ln", ["-sf", victim, join(cli.cwd, "skills/x/skill.json")]);
    expect((await cli.run(["create", "--name", "x", "--force"])).exitCode).toBe(0);
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });

  test("a failure leaves nothing behind", async () => {
    await using cli = await capturedCli();
    writeFileSync(join(cli.cwd, "skills"), "a file where the folder belongs");
    const { document } = await cli.run(["create", "--name", "x", "--json"]);
    expect(document).toMatchObject({ error: { code: "output-unwritable" }, exitCode: 2 });
    expect(readdirSync(cli.cwd)).toEqual(["skills"]);
  });
});
