import { expect, test } from "vitest";
import { answered, failed, sampleHosts } from "../../../test/builders/sample-session.ts";
import { sampleSkill } from "../../../test/sample-tools.ts";
import type { ToolOutcome } from "../../contract/tool-host.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { callSkillTool } from "./call-skill-tool.ts";

const declared = { name: "count", description: "", script: "scripts/count.py", parameters: null };
const skill = sampleSkill("/skills/sample", { tools: [declared as never] });

interface Around {
  selected?: (typeof skill)[];
  isUnchanged?: boolean;
  hasTool?: boolean;
  remainingMs?: number;
}

async function workOf(outcome: ToolOutcome, around: Around = {}) {
  const { selected = [skill], isUnchanged = true, hasTool = true, remainingMs = 90_000 } = around;
  const hosts = sampleHosts(outcome);
  const kept: string[] = [];
  const call = callSkillTool(
    hosts,
    ({ name: id, dir, digest }, name) =>
      hasTool ? { ...declared, skill: { id, dir, digest }, name, timeoutMs: null } : null,
    {
      catalog: { isUnchanged: () => isUnchanged },
      log: {
        keep(name, content) {
          kept.push(`${name} ${content.length}`);
          return { ref: `observations/${name}`, sha256: "sha256:whole", bytes: content.length };
        },
      },
    },
  );
  const args = { skill, tool: "count", params: { a: 1 } };
  const work = await call({ callId: "t1-1", args, selected, remainingMs, signal: neverAborted });
  return { work, kept, calls: hosts.calls };
}

test("a tool is called with what was said, and the model reads the same line as in a conversation", async () => {
  const warnings = ["large-result: 9000 bytes; return less"];
  const { work, calls } = await workOf(answered({ words: 3 }, { warnings }), { remainingMs: 500 });

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

test("a result that is too long for a prompt is kept whole beside", async () => {
  const { work, kept } = await workOf(answered({ text: "x".repeat(20_000) }));

  expect(kept).toEqual(["t1-1-count.txt 20044"]);
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
])("what it does wrong is told with its own code: %j", async (outcome, started, code) => {
  const { message } = outcome as { message: string };
  const { work } = await workOf(outcome);

  expect(work).toMatchObject({
    started,
    error: { code: "ToolFailed", message: `${code}: ${message}`, details: { code } },
    observation: { summary: `TOOL_RESULT: {"error":{"message":"${code}: ${message}"}}` },
  });
  expect(work.ended).toEqual(code === "timeout" ? { timeout: true } : undefined);
});

test.each<[string, Around, string]>([
  [
    "a name that two selected skills declare",
    { selected: [skill, { ...skill, name: "twin" }] },
    "AmbiguousTool",
  ],
  ["a skill that was edited since", { isUnchanged: false }, "SkillChanged"],
  ["a tool that nobody hosts", { hasTool: false }, "ToolNotAllowed"],
])("%s is refused, and nothing runs", async (_, around, code) => {
  const { work, calls } = await workOf(answered({}), around);
  expect(work).toMatchObject({ started: false, error: { code } });
  expect(calls).toEqual([]);
});

test("what is no matter of the tool is not told as if it were", async () => {
  const refused = { latencyMs: 0, status: "invalid", cause: "sandbox-refused", message: "no walls" } as const;
  expect((await workOf(refused)).work).toMatchObject({
    started: false,
    error: { code: "SandboxUnavailable" },
  });
  const absent = failed("spawn-failed", "python3 is not there");
  expect((await workOf(absent)).work).toMatchObject({ started: false, error: { code: "IOError" } });
});
