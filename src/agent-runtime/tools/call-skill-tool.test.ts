import { expect, test } from "vitest";
import { answered, failed, sampleHosts } from "../../../test/builders/sample-session.ts";
import { sampleSkill } from "../../../test/sample-tools.ts";
import type { ToolOutcome } from "../../contract/tool-host.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { callSkillTool } from "./call-skill-tool.ts";

const declared = { name: "count", description: "", script: "scripts/count.py", parameters: null };
const skill = sampleSkill("/skills/sample", { tools: [declared as never] });

interface CallSetup {
  selected?: (typeof skill)[];
  isUnchanged?: boolean;
  hasTool?: boolean;
  remainingMs?: number;
}

async function callTool(outcome: ToolOutcome, setup: CallSetup = {}) {
  const { selected = [skill], isUnchanged = true, hasTool = true, remainingMs = 90_000 } = setup;
  const hosts = sampleHosts(outcome);
  const stored: string[] = [];
  const call = callSkillTool(
    hosts,
    ({ name: id, dir, digest }, name) =>
      hasTool ? { ...declared, skill: { id, dir, digest }, name, timeoutMs: null } : null,
    {
      catalog: { isUnchanged: () => isUnchanged },
      log: {
        keep(name, content) {
          stored.push(`${name} ${content.length}`);
          return { ref: `observations/${name}`, sha256: "sha256:whole", bytes: content.length };
        },
      },
    },
  );
  const args = { skill, tool: "count", params: { a: 1 } };
  const work = await call({ callId: "t1-1", args, selected, remainingMs, signal: neverAborted });
  return { work, stored, calls: hosts.calls };
}

test("a tool is called with the given arguments, and the model reads the same line as in a conversation", async () => {
  const warnings = ["large-result: 9000 bytes; return less"];
  const { work, calls } = await callTool(answered({ words: 3 }, { warnings }), { remainingMs: 500 });

  expect(calls).toMatchObject([
    { request: { tool: { name: "count" }, arguments: { a: 1 }, document: null }, deadlineMs: 500 },
  ]);
  expect(work).toMatchObject({
    started: true,
    result: { ms: 1, result_bytes: 11, findings: warnings },
    observation: { summary: 'TOOL_RESULT: {"result":{"data":{"words":3}}}' },
  });
  expect(work.error).toBeUndefined();
});

test("a result that is too long for a prompt is stored whole", async () => {
  const { work, stored } = await callTool(answered({ text: "x".repeat(20_000) }));

  expect(stored).toEqual(["t1-1-count.txt 20044"]);
  expect(work.observation).toMatchObject({
    storage_ref: "observations/t1-1-count.txt",
    sha256: "sha256:whole",
  });
  expect(work.observation.summary.length).toBeLessThan(12_100);
});

test.each<[ToolOutcome, boolean, string]>([
  [failed("tool-failed", "ValueError: no"), true, "tool-failed"],
  [failed("tool-crashed", "exit 139"), true, "tool-crashed"],
  [failed("bad-arguments", "/a must be string"), false, "bad-arguments"],
  [{ latencyMs: 1, status: "timed-out", message: "count did not answer within 5 ms" }, true, "timeout"],
])("a fault of the tool is reported with its own code: %j", async (outcome, started, code) => {
  const { message } = outcome as { message: string };
  const { work } = await callTool(outcome);

  expect(work).toMatchObject({
    started,
    error: { code: "ToolFailed", message: `${code}: ${message}`, details: { code } },
    observation: { summary: `TOOL_RESULT: {"error":{"message":"${code}: ${message}"}}` },
  });
  expect(work.ended).toEqual(code === "timeout" ? { timeout: true } : undefined);
});

test.each<[string, CallSetup, string]>([
  [
    "a name that two selected skills declare",
    { selected: [skill, { ...skill, name: "twin" }] },
    "AmbiguousTool",
  ],
  ["a skill that was edited since", { isUnchanged: false }, "SkillChanged"],
  ["a tool that nobody hosts", { hasTool: false }, "ToolNotAllowed"],
])("%s is refused, and nothing runs", async (_, setup, code) => {
  const { work, calls } = await callTool(answered({}), setup);
  expect(work).toMatchObject({ started: false, error: { code } });
  expect(calls).toEqual([]);
});

test("what is not the tool's fault is not reported as its own", async () => {
  const refused = {
    latencyMs: 0,
    status: "invalid",
    cause: "sandbox-refused",
    message: "no sandbox",
  } as const;
  expect((await callTool(refused)).work).toMatchObject({
    started: false,
    error: { code: "SandboxUnavailable" },
  });
  const hindered = { ...refused, cause: "sandbox-hid", message: "it hides /srv/x" } as const;
  expect((await callTool(hindered)).work).toMatchObject({ started: false, error: { code: "SandboxHid" } });
  const absent = failed("spawn-failed", "python3 is not there");
  expect((await callTool(absent)).work).toMatchObject({ started: false, error: { code: "IOError" } });
});
