import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer } from "../../test/local-server.ts";
import { readOutput, within } from "../../test/open-skill.ts";
import { programs } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { AdapterConfig, type UnitSkill } from "../contract/unit-skill.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { findInterpreter } from "../shared/files/find-interpreter.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { type AdapterContext, openAdapter } from "./open-adapter.ts";

const patience = within(20_000);

interface SkillFacts {
  dir?: string;
  entrypoint?: string;
  config?: Record<string, unknown>;
  metadata?: UnitSkill["metadata"];
}

function skillOf({
  dir = programs,
  entrypoint = "python3 echo.py",
  config = {},
  metadata = {},
}: SkillFacts): UnitSkill {
  const type = (config.type ?? "subprocess") as "subprocess";
  return {
    id: "my_skill",
    name: "My skill",
    version: "1.0.0",
    description: "",
    tags: [],
    dir,
    manifest: join(dir, "skill.json"),
    adapter: { type, entrypoint, config: AdapterConfig.parse({ type, ...config }) },
    inputSchema: {},
    outputSchema: {},
    metadata,
    digest: "sha256:0",
  };
}

/** Opens the skill, calls it once and returns its outcome; an error in opening is thrown. */
async function callOnce(facts: SkillFacts, context: Partial<AdapterContext> = {}, input: Json = "input") {
  await using sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
  await using adapter = await openAdapter(skillOf(facts), {
    sandbox,
    env: process.env,
    envKeys: [],
    maxOutputBytes: 5_242_880,
    concurrency: 2,
    version: "1.2.3",
    ...context,
  });
  return await adapter.call(input, patience);
}

async function environmentOf(facts: SkillFacts, context: Partial<AdapterContext> = {}) {
  const outcome = await callOnce({ entrypoint: "python3 tells-environment.py", ...facts }, context);
  return (readOutput(outcome) as { environment: JsonObject }).environment;
}

describe("a command", () => {
  test("is the entrypoint, split into words", async () => {
    expect(await callOnce({ entrypoint: "python3 'echo.py'" })).toMatchObject({
      status: "answered",
      output: "input",
    });
  });

  test("with a separator is found in the skill's folder, whatever that is called", async () => {
    await using folder = await temporaryFolder();
    const dir = join(folder.path, "$(touch x) [1]");
    mkdirSync(dir);
    writeFileSync(
      join(dir, "run me"),
      `#!/bin/sh\nexec ${process.execPath} -e '
      process.stdin.once("data", (line) =>
        console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(line).id, result: process.cwd() })))'\n`,
    );
    chmodSync(join(dir, "run me"), 0o755);
    expect(await callOnce({ dir, entrypoint: '"./run me"' })).toMatchObject({
      status: "answered",
      output: dir,
    });
  });

  test("and arguments of the configuration replace the entrypoint, and are not split again", async () => {
    const config = { command: "python3", args: ["tells-environment.py", "a b", "$HOME"] };
    const outcome = await callOnce({ entrypoint: "no such thing", config });
    expect(outcome).toMatchObject({ output: { arguments: ["a b", "$HOME"] } });
  });

  const faults: [string, string, string][] = [
    ["that cannot be found", "no-such-program x", "no-such-program"],
    ["that cannot be found in the skill's folder", "./missing.sh", "./missing.sh"],
    ["that may not be run", "./../programs.ts", "./../programs.ts"],
    ["with an unbalanced quote", "python3 'skill.py", "unbalanced '"],
    ["that ends in a backslash", "python3 skill.py\\", "lone backslash"],
    ["that is blank", "   ", "empty"],
  ];
  for (const [what, entrypoint, words] of faults) {
    test(`${what} is refused before anything runs`, async () => {
      await expect(callOnce({ entrypoint })).rejects.toMatchObject({
        code: "adapter-invalid",
        path: join(programs, "skill.json"),
        jsonPath: "$.entrypoint",
        message: expect.stringContaining(words),
      });
    });
  }
});

describe("the lifecycle", () => {
  const pidsOf = async (facts: SkillFacts) => {
    await using sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
    const skill = skillOf({ entrypoint: "python3 tells-pid.py", ...facts });
    await using adapter = await openAdapter(skill, {
      sandbox,
      env: process.env,
      envKeys: [],
      maxOutputBytes: 1000,
      concurrency: 1,
      version: "1",
    });
    const outcomes = [await adapter.call(null, patience), await adapter.call(null, patience)];
    return new Set(outcomes.map((outcome) => (outcome as { output: unknown }).output)).size;
  };

  test("is a process per call unless somebody says otherwise", async () => {
    expect(await pidsOf({})).toBe(2);
  });

  test("is what skill.json says", async () => {
    expect(await pidsOf({ metadata: { lifecycle: "persistent" } })).toBe(1);
  });

  test("is what the configuration says, over skill.json", async () => {
    expect(await pidsOf({ metadata: { lifecycle: "persistent" }, config: { lifecycle: "per-call" } })).toBe(
      2,
    );
  });
});

describe("variables", () => {
  const env = { ...process.env, NAMED: "passed", COMMON: "common", SECRET_CANARY: "canary" };

  test("named in envKeys are passed, no others", async () => {
    const environment = await environmentOf(
      { config: { envKeys: ["NAMED", "UNSET"] } },
      { env, envKeys: ["COMMON"] },
    );
    expect(environment).toMatchObject({ NAMED: "passed", COMMON: "common" });
    expect(environment).not.toHaveProperty("SECRET_CANARY");
    expect(environment).not.toHaveProperty("UNSET");
  });

  test("in env are set as they stand there", async () => {
    const environment = await environmentOf({ config: { env: { MODE: "$HOME `x`", EMPTY: "" } } });
    expect(environment).toMatchObject({ MODE: "$HOME `x`", EMPTY: "" });
  });
});

describe("a program that the sandbox cannot reach", () => {
  async function openWithout(unreachable: string, entrypoint: string) {
    const warnings: string[] = [];
    await using opened = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
    const sandbox = { ...opened, canReach: (path: string) => !path.startsWith(unreachable) };
    const context = { sandbox, warn: (warning: string) => void warnings.push(warning) };
    const env = { PATH: `${unreachable}:${process.env.PATH}` };
    const outcome = await callOnce({ entrypoint }, { ...context, env });
    return { outcome, warnings };
  }

  test("is passed over for the next one of its name, with a word about it", async () => {
    await using tools = await temporaryFolder();
    symlinkSync(process.execPath, join(tools.path, "node"));
    const program = `node -e 'console.log("{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":1}")'`;

    const { outcome, warnings } = await openWithout(tools.path, program);

    expect(outcome).toMatchObject({ status: "answered" });
    expect(warnings).toEqual([expect.stringContaining(join(tools.path, "node"))]);
  });

  test("is refused where it was named by its path, with a way out", async () => {
    await using tools = await temporaryFolder();
    symlinkSync(process.execPath, join(tools.path, "mine"));
    for (const program of [join(tools.path, "mine"), "mine"])
      await expect(openWithout(tools.path, program)).rejects.toMatchObject({
        code: "adapter-invalid",
        message: expect.stringContaining(join(tools.path, "mine")),
        hint: expect.stringContaining("--sandbox process"),
      });
  });
});

describe("a python3 that is a script", () => {
  const shim = (answer: string) => `#!/bin/sh\necho asked >> "$0.log"\n${answer}\n`;

  async function folderWithPython(script: string) {
    const folder = await temporaryFolder();
    writeFileSync(join(folder.path, "python3"), script);
    chmodSync(join(folder.path, "python3"), 0o755);
    return folder;
  }

  test("of the skill itself is never run outside the sandbox", async () => {
    await using skill = await folderWithPython(`#!/bin/sh\nenv | grep -c SECRET_CANARY >> "$0.log"\n`);
    await callOnce(
      { dir: skill.path, entrypoint: "./python3 x" },
      { env: { ...process.env, SECRET_CANARY: "1" } },
    );
    expect(readFileSync(join(skill.path, "python3.log"), "utf8")).toBe("0\n"); // run once, without the secret
  });

  test("on the search path is asked once for the interpreter behind it", async () => {
    await using tools = await folderWithPython(shim(`exec "$(dirname "$0")/real" "$@"`));
    writeFileSync(join(tools.path, "real"), `#!/bin/sh\necho ${join(tools.path, "real")}\n`);
    chmodSync(join(tools.path, "real"), 0o755);
    const env = { PATH: `${tools.path}:${process.env.PATH}` };
    await using skill = await temporaryFolder();
    writeFileSync(join(skill.path, ".python-version"), "2.7");
    for (const dir of [programs, programs, skill.path])
      expect((await findInterpreter("python3", dir, env)).path).toBe(join(tools.path, "real"));
    expect(readFileSync(join(tools.path, "python3.log"), "utf8")).toBe("asked\n");
  });

  test("that gives no good answer is used as it is", async () => {
    await using tools = await folderWithPython(shim("echo nonsense; exit 1"));
    const env = { PATH: `${tools.path}:${process.env.PATH}` };
    expect((await findInterpreter("python3", programs, env)).path).toBe(join(tools.path, "python3"));
  });
});

test.each(["http", "mcp"])("a path that looks like another host stays a path: %s", async (type) => {
  await using named = await httpServer((_, response) => void response.writeHead(404).end());
  await using other = await httpServer((_, response) => void response.writeHead(404).end());
  const aside = `//127.0.0.1:${other.port}/mcp`;

  await callOnce({ entrypoint: `${named.url}${aside}`, config: { type } }, {}, {});
  await callOnce({ entrypoint: aside, config: { type, baseUrl: named.url } }, {}, {});

  expect(other.requests).toBe(0);
  expect(named.requests).toBeGreaterThan(1);
});
