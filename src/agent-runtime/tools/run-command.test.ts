import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openSampleTools } from "../../../test/sample-tools.ts";
import { describeStrict } from "../../../test/strict-machine.ts";
import { openStrict } from "../../../test/strict-sandbox.ts";
import type { AgentSkill, ToolCall } from "../../contract/agent-parts.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { openSandbox } from "../../sandbox/open-sandbox.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { flagsApprover } from "./approvers.ts";

const openPlain = () => openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });

/** A run whose commands are approved, with one skill selected. */
async function openCommands(
  sandbox: Sandbox,
  files: Readonly<Record<string, string>> = {},
  approved: readonly string[] = ["run_command"],
) {
  const tools = await openSampleTools(
    {
      ...{ sandbox, policy: { enable_tools: ["run_command"], sandbox: null } },
      approver: flagsApprover(approved.map((tool) => ({ tool, scope: "call" as const }))),
    },
    files,
  );
  chmodSync(dirname(tools.skill.dir), 0o755);
  const selected: AgentSkill[] = [tools.skill];
  const run = (params: JsonObject, call: Partial<ToolCall> = {}) =>
    tools.call("run_command", params, { skill: null, selected, ...call });
  return { ...tools, run };
}

/** What a command does, whatever the environment. */
async function expectToWork(sandbox: Sandbox) {
  const files = {
    "scripts/__init__.py": "",
    "scripts/fill.py": 'from . import words\nopen("out.txt", "w").write(words.text)\n',
    "scripts/words.py": 'text = "filled"\n',
  };
  await using tools = await openCommands(sandbox, files);
  writeFileSync(join(tools.workspace, "old.txt"), "old");
  writeFileSync(join(tools.workspace, "gone.txt"), "gone");
  const shell = await tools.run({
    command: "rm gone.txt && echo more >> old.txt && python3 -m scripts.fill",
  });
  expect(shell).toMatchObject({
    ...{ started: true, ok: true, error: undefined, result: { exit_code: 0 } },
    changes: { added: ["out.txt"], changed: ["old.txt"], deleted: ["gone.txt"] },
    audit: {
      ...{ tool: "run_command", risk: "high", policy: { approved: true, approval_scope: "call" } },
      isolation: expect.any(Object),
    },
  });
  expect(readFileSync(join(tools.workspace, "out.txt"), "utf8")).toBe("filled");
  const plain = await tools.run({ command: "cat", args: ["out.txt"] }, { callId: "c2" });
  expect(plain).toMatchObject({ ok: true, changes: { added: [], changed: [], deleted: [] } });
  expect(plain.observation.summary).toBe("exit code 0\n--- stdout\nfilled");
}

test("a command runs in a shell or by its arguments, sees the modules of the skill, and tells what it changed", async () => {
  await using sandbox = openPlain();
  await expectToWork(sandbox);
});

describeStrict("in the sandbox", () => {
  test("it does the same, and cannot write to the skill", async () => {
    await using sandbox = await openStrict();
    await expectToWork(sandbox);
    await using tools = await openCommands(sandbox, { "data.txt": "data" });
    const end = await tools.run({ command: 'echo more >> "$EVAL_SKILLS_SKILL_DIR/data.txt"' });
    expect(end).toMatchObject({ started: true, error: { code: "ExitNonZero" } });
    expect(readFileSync(join(tools.skill.dir, "data.txt"), "utf8")).toBe("data");
  });
});

test("a command that fails says how, and one that is not as it must be never starts", async () => {
  await using sandbox = openPlain();
  await using tools = await openCommands(sandbox);
  expect(await tools.run({ command: "echo no >&2; exit 3" })).toMatchObject({
    ...{ started: true, error: { code: "ExitNonZero" }, result: { exit_code: 3 } },
  });
  const refusals: [JsonObject, string][] = [
    [{}, "InvalidAction"],
    [{ command: "ls", argv: ["ls"] }, "InvalidAction"],
    [{ command: "a\0b" }, "InvalidAction"],
    [{ command: "no-such-program-here", args: [] }, "UnsupportedInterpreter"],
  ];
  for (const [n, [params, code]] of refusals.entries())
    expect(await tools.run(params, { callId: `d${n}` })).toMatchObject({ started: false, error: { code } });
  await using unapproved = await openCommands(sandbox, {}, []);
  expect(await unapproved.run({ command: "touch made" })).toMatchObject({
    ...{ started: false, error: { code: "ApprovalRequired" } },
  });
});
