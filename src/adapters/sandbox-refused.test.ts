import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { within } from "../../test/open-skill.ts";
import { programs } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Sandbox, SkillExit } from "../contract/sandbox.ts";
import { AdapterConfig, type UnitSkill } from "../contract/unit-skill.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { openAdapter } from "./open-adapter.ts";

/** A sandbox whose processes end like this, whatever they are: what a broken machine does. */
function endingWith(end: Partial<SkillExit>, stderr = ""): Sandbox {
  const sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
  return {
    containment: sandbox.containment,
    start(command) {
      const script = 'printf %s "$1" >&2; exit 1';
      const started = sandbox.start({ ...command, argv: ["/bin/sh", "-c", script, "sh", stderr] });
      return { ...started, hasCaps: true, exited: started.exited.then((exit) => ({ ...exit, ...end })) };
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

async function callIn(
  sandbox: Sandbox,
  entrypoint: string,
  config: { type: string; lifecycle?: string },
  dir = programs,
) {
  const skill: UnitSkill = {
    ...{ id: "my_skill", name: "My skill", version: "1.0.0", description: "", tags: [] },
    ...{ dir, manifest: join(dir, "skill.json"), inputSchema: {}, outputSchema: {}, metadata: {} },
    adapter: { type: "subprocess", entrypoint, config: AdapterConfig.parse(config) },
    digest: "sha256:0",
  };
  await using adapter = await openAdapter(skill, {
    ...{
      sandbox,
      env: process.env,
      envKeys: [],
      maxOutputBytes: 1_000_000,
      concurrency: 1,
      version: "1.2.3",
    },
  });
  return await adapter.call({}, within(20_000));
}

const ways: [string, { type: string; lifecycle?: string }][] = [
  ["per call", { type: "subprocess" }],
  ["that stays", { type: "subprocess", lifecycle: "persistent" }],
  ["of an MCP server", { type: "mcp" }],
];
for (const [what, config] of ways) {
  test(`a process ${what} that the sandbox did not let begin is our failure, in the sandbox's words`, async () => {
    await using sandbox = endingWith({ refusal: "no start" }, "bwrap: No permissions to make a namespace\n");
    expect(await callIn(sandbox, "/bin/sh x", config)).toMatchObject({
      status: "invalid",
      cause: "sandbox-refused",
      message: "no start: bwrap: No permissions to make a namespace",
    });
  });

  test(`a program ${what} that the sandbox could not execute is the skill's failure`, async () => {
    await using sandbox = endingWith({ refusal: "no start" }, "bwrap: execvp ./x: Permission denied\n");
    expect(await callIn(sandbox, "/bin/sh x", config)).toMatchObject({
      status: "failed",
      cause: "spawn-failed",
      message: "it cannot be executed: ./x: Permission denied",
    });
  });

  test.each([
    ["fault row 16: a refused allocation has passed the memory limit", "MemoryError", "memory-limit"],
    [
      "a full disk has passed the limit of the disk",
      "head: error writing: No space left on device",
      "disk-limit",
    ],
  ])(`a process ${what} that dies of %s`, async (_, words, cause) => {
    await using sandbox = endingWith({}, `Traceback (most recent call last):\n${words}\n`);
    expect(await callIn(sandbox, "/bin/sh x", config)).toMatchObject({ status: "failed", cause });
  });
}

test("a module whose process the sandbox did not let begin is our failure", async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, "tool.mjs"), "export const invoke = () => 1;");
  await using sandbox = endingWith({ refusal: "bwrap: out of luck" });
  expect(await callIn(sandbox, "./tool.mjs", { type: "custom" }, folder.path)).toMatchObject({
    status: "invalid",
    cause: "sandbox-refused",
  });
});
