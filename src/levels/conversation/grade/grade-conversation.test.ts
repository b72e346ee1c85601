import { expect, test } from "vitest";
import {
  calledTurn,
  finalTurn,
  rejectedTurn,
  sampleConversationCase,
  sampleRecord,
} from "../../../../test/builders/sample-conversation.ts";
import type { JudgedWord } from "../../../cases/ask-about-sentences.ts";
import { CaseReport } from "../../../contract/agent-report.ts";
import type { ConversationRecord } from "../../../contract/conversation.ts";
import type { LoadedConversationCase } from "../../../contract/loaded-case.ts";
import type { PromisedOutput } from "../../../contract/output-contract.ts";
import { conversationFailureCodes } from "./conversation-view.ts";
import { gradeConversation } from "./grade-conversation.ts";

const contract: PromisedOutput = { markers: ["共"], maxChars: 20, schemas: [], prose: null, offers: [] };

interface Row {
  what: string;
  record?: Partial<ConversationRecord>;
  /** Members of `expect` that replace the plain ones. */
  case?: Record<string, unknown>;
  facts?: Partial<LoadedConversationCase>;
  contract?: PromisedOutput | null;
  prose?: JudgedWord;
}

function grade(row: Omit<Row, "what">): Promise<CaseReport> {
  const loaded = sampleConversationCase(row.case, row.facts);
  const { contract: promised = contract, prose } = row;
  const about = { trial: 1, model: "mock", contract: promised, prose };
  return gradeConversation(sampleRecord(row.record), loaded, about);
}

/** Statuses of what a conversation is judged by, in one line: hit, protocol, calls, continuation, output. */
function statusesOf({ scores }: CaseReport): string {
  const all = [scores.hit, scores.protocol, scores.calls, scores.continuation, scores.output];
  return all.map((score) => score?.status).join(" ");
}

test("a good conversation passes in all five, and the dimensions of agents do not concern it", async () => {
  const report = await grade({});

  expect(CaseReport.parse(report)).toEqual(report);
  expect(report).toMatchObject({
    status: "pass",
    pass: true,
    failures: [],
    warnings: [],
    not_exercised: [],
    protocol_after_correction: true,
    grader: "conversation-1",
    stats: { turns: 2, tool_calls: 1, model_calls: 2, stop_reason: "final" },
    scores: { trigger: { status: "not_applicable" }, security: { status: "not_applicable" } },
  });
  expect(statusesOf(report)).toBe("pass pass pass pass pass");
  expect(report.conversation).toEqual(sampleRecord());
  expect(JSON.stringify(await grade({}))).toBe(JSON.stringify(report));
});

/** A contract in prose that mentions the schema of plans, and nothing else. */
const proseOnly: PromisedOutput = {
  ...{ markers: [], maxChars: null, schemas: [] },
  prose: "A heading for each risk; or a plan of ah32.plan.v1.",
  offers: [{ name: "ah32.plan.v1", schema: null }],
};
const plan = {
  schema_version: "ah32.plan.v1",
  host_app: "wps",
  actions: [{ id: "a", title: "t", op: "insert_text", text: "共 3 处" }],
};
const outputChecks = async (text: string, promised: PromisedOutput, prose?: JudgedWord) => {
  const { status, scores } = await grade({
    record: finalReply(text),
    contract: promised,
    ...(prose && { prose }),
    case: { output: { contract: true } },
  });
  return [status, ...scores.output.checks.map((one) => `${one.name}: ${one.status}`)];
};

test("without a judge, prose that a skill states of its output is never a pass and never a fail", async () => {
  expect(await outputChecks("共 3 处风险", { ...proseOnly, markers: ["共"], offers: [] })).toEqual([
    "pass",
    "contract: pass",
    "output.prose: not_observed",
  ]);
  expect(await outputChecks("没有 3", { ...proseOnly, markers: ["共"], offers: [] })).toEqual([
    "fail",
    "contract: fail",
    "output.prose: not_observed",
  ]);
});

test.each([
  [{ pass: true, reason: "as described" }, "pass", "pass"],
  [{ pass: false, reason: "no headings" }, "fail", "fail"],
  [{ pass: null, reason: "no verdict in 3 replies" }, "invalid", "not_observed"],
] as const)("a judge decides about the prose: %j", async (word, status, ofProse) => {
  expect(await outputChecks("共 3 处风险", { ...proseOnly, offers: [] }, word)).toEqual([
    status,
    `output.prose: ${ofProse}`,
  ]);
});

test("a schema that the prose mentions binds only outputs that say they are of it, with or without a fence", async () => {
  expect(await outputChecks("共 3 处风险", proseOnly)).toEqual([
    "pass",
    "contract ah32.plan.v1: not_observed",
    "output.prose: not_observed",
  ]);
  expect((await outputChecks(JSON.stringify(plan), proseOnly)).slice(0, 2)).toEqual([
    "pass",
    "contract ah32.plan.v1: pass",
  ]);
  expect(
    (await outputChecks(`\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`\n`, proseOnly)).slice(0, 2),
  ).toEqual(["pass", "contract ah32.plan.v1 (fenced): pass"]);
});

const finalReply = (text: string) => ({ turns: [calledTurn(1), finalTurn(2, text)], final: text });
const answered = { turns: [finalTurn(1, "共 3 处风险")] };
const failing = { ok: false, code: "bad-arguments", message: "bad-arguments: /x is required", data: null };
const twoCalls = [{ name: "a" }, { name: "b" }];
const bToA = [calledTurn(1, { name: "b" }), calledTurn(2, { name: "a" }), finalTurn(3, "共 3 处风险")];
const noUse = { uses_result: [] };

/** Code → what shows it. Every row yields its code and no other. */
const rows: Record<(typeof conversationFailureCodes)[number], readonly Row[]> = {
  HitMissing: [
    { what: "another skill was selected", case: { skills_all_of: ["contract-review", "law"] } },
    { what: "nothing was selected", record: { selected: [] } },
  ],
  HitForbidden: [
    { what: "by name", case: { skills_all_of: [], skills_none_of: ["contract-review"] } },
    { what: "any at all", case: { skills_all_of: [], skills_none_of: ["*"] } },
  ],
  CallRejected: [
    { what: "read at the second try", record: { turns: [rejectedTurn(1), ...shifted(1)] } },
    {
      what: "empty replies are no calls",
      record: { turns: [...shifted(0).slice(0, 1), rejectedTurn(2, null), finalTurn(3, "x")] },
    },
  ],
  CallMissing: [
    { what: "none at all", record: answered, case: noUse },
    { what: "another tool", case: { tool_calls: [{ name: "word_count" }] } },
    { what: "not again", case: { tool_calls: [{ name: "risk_detector" }, { name: "risk_detector" }] } },
  ],
  CallArguments: [
    {
      what: "another value",
      case: { tool_calls: [{ name: "risk_detector", arguments: { max_results: 5 } }] },
    },
    {
      what: "true is no 1",
      case: { tool_calls: [{ name: "risk_detector", arguments: { deep: { a: true } } }] },
    },
    {
      what: "a longer list",
      case: { tool_calls: [{ name: "risk_detector", arguments: { deep: { b: [1] } } }] },
    },
  ],
  CallResult: [
    { what: "failed", record: { turns: [calledTurn(1, failing), finalTurn(2, "共 3 处风险")] }, case: noUse },
    { what: "did not fail", case: { tool_calls: [{ name: "risk_detector", result: "bad-arguments" }] } },
    {
      what: "failed otherwise",
      record: { turns: [calledTurn(1, failing), finalTurn(2, "共 3 处风险")] },
      case: { ...noUse, tool_calls: [{ name: "risk_detector", result: "timeout" }] },
    },
  ],
  CallOrder: [{ what: "the second came first", record: { turns: bToA }, case: { tool_calls: twoCalls } }],
  CallUnexpected: [{ what: "where none should be", case: { ...noUse, tool_calls: [] } }],
  FinalMissing: [
    ...(["turn-limit", "timeout"] as const).map((end) => ({
      what: end,
      record: { turns: [calledTurn(1)], end, final: null, problem: "why" },
    })),
    {
      what: "a timeout before anything was said",
      record: { turns: [], end: "timeout", final: null },
      case: { ...noUse, tool_calls: undefined },
    },
  ],
  MockExhausted: [
    { what: "a script too short", record: { turns: [calledTurn(1)], end: "mock-exhausted", final: null } },
  ],
  MockInvalid: [
    { what: "a quote of nothing", record: { turns: [calledTurn(1)], end: "mock-invalid", final: null } },
  ],
  ResultMissing: [
    {
      what: "a call that failed",
      record: { turns: [calledTurn(1, failing), finalTurn(2, "共 3 处风险")] },
      case: { tool_calls: undefined },
    },
    { what: "no such call", case: { uses_result: ["$[1].total"] } },
    { what: "no such member", case: { uses_result: ["$[0].sum"] } },
    { what: "nothing to look for", case: { uses_result: ["$[0].empty"] } },
    { what: "null", case: { uses_result: ["$[0].none"] } },
  ],
  ResultNotUsed: [
    { what: "a longer number", record: finalReply("共 13 处风险") },
    { what: "a number with a fraction", record: finalReply("共 3.5 处风险") },
    { what: "a text", case: { uses_result: ["$[0].items"] } },
    { what: "yes or no", case: { uses_result: ["$[0].isDone"] } },
  ],
  OutputContract: [
    { what: "a marker is missing", contract: { ...contract, markers: ["共", "Total"] } },
    { what: "too long", contract: { ...contract, maxChars: 5 } },
    { what: "no JSON", contract: { ...contract, schemas: [{ name: "plan", schema: true }] } },
    {
      what: "a plan of the schema that the prose mentions, and none",
      record: finalReply('{"schema_version": "ah32.plan.v1", "meta": {"n": 3}}'),
      contract: proseOnly,
      case: { output: { contract: true } },
    },
  ],
  OutputProse: [
    {
      what: "says the judge",
      contract: { ...proseOnly, offers: [] },
      prose: { pass: false, reason: "no headings" },
      case: { output: { contract: true } },
    },
  ],
  OutputContains: [{ what: "not all", case: { output: { contains_all: ["风险", "条"] } } }],
  OutputRegex: [{ what: "no match", case: { output: { regex_match: "^\\d" } } }],
  OutputFormat: [{ what: "no JSON", case: { output: { format: "json" } } }],
  OutputSchema: [
    {
      what: "no JSON",
      case: { output: { json_schema: {} } },
      facts: { outputSchema: { type: "object" } },
    },
  ],
  OutputFile: [
    {
      what: "another text",
      case: { output: { equals_file: "x" } },
      facts: { expectedFiles: { x: import.meta.filename } },
    },
  ],
};

test.each(conversationFailureCodes.flatMap((code) => rows[code].map((row) => ({ code, ...row }))))(
  "$code: $what",
  async ({ code, ...row }) => {
    const report = await grade(row);

    expect(report.failures.map((failure) => failure.code)).toEqual([code]);
    expect(report).toMatchObject({ status: "fail", pass: false, no_verdict: null });
    expect(report.failures[0]?.message).toMatch(/\w+ \w+/);
  },
);

/** The turns of the good conversation, after others. */
function shifted(by: number) {
  return [calledTurn(1 + by), finalTurn(2 + by, "共 3 处风险")];
}

test.each<[string, Omit<Row, "what">, string]>([
  ["nobody routed", { record: { forced: true, routing: null } }, "not_observed pass pass pass pass"],
  [
    "a request that needs no tool",
    { record: answered, case: { tool_calls: [], uses_result: undefined } },
    "pass not_applicable pass not_applicable pass",
  ],
  ["nothing is asked for", { case: emptyExpect() }, "not_applicable pass not_applicable pass not_applicable"],
  [
    "an expected failure of a call",
    {
      record: { turns: [calledTurn(1, failing), finalTurn(2, "共 3 处风险")] },
      case: { ...noUse, tool_calls: [{ name: "risk_detector", result: "bad-arguments" }] },
    },
    "pass pass pass pass pass",
  ],
  [
    "a refusal that the case asks for",
    {
      record: { turns: [rejectedTurn(1), ...shifted(1)] },
      case: {
        tool_calls: [
          { name: "risk_detector", result: "malformed-call" },
          { name: "risk_detector", result: "ok" },
        ],
      },
    },
    "pass pass pass pass pass",
  ],
  [
    "others between the expected ones",
    {
      record: { turns: [calledTurn(1, { name: "a" }), ...bToA.slice(0, 1), ...shifted(2)] },
      case: {
        tool_calls: [{ name: "a" }, { name: "risk_detector", arguments: { deep: { b: [1, 2] } } }],
        uses_result: ["$[2].total"],
      },
    },
    "pass pass pass pass pass",
  ],
])("passes: %s", async (_, row, statuses) => {
  const report = await grade(row);
  expect([report.failures, report.status, statusesOf(report)]).toEqual([[], "pass", statuses]);
});

function emptyExpect() {
  return Object.fromEntries(
    ["skills_all_of", "skills_none_of", "tool_calls", "uses_result", "output"].map((key) => [key, undefined]),
  );
}

test.each<[string, Omit<Row, "what">, string, string]>([
  [
    "the model failed",
    { record: { turns: [calledTurn(1)], end: "model-failed", final: null, problem: "HTTP 500" } },
    "model_unavailable",
    "HTTP 500",
  ],
  [
    "nothing was recorded",
    { record: { turns: [], end: "cassette-miss", final: null } },
    "CassetteMiss",
    "cassette-miss",
  ],
  [
    "a tool could not be started",
    { record: { turns: [], end: "host-failed", final: null } },
    "SandboxUnavailable",
    "host-failed",
  ],
  [
    "a tool lacked what the sandbox hides",
    { record: { turns: [calledTurn(1, { code: "sandbox-hid" })], end: "host-failed", final: null } },
    "SandboxHid",
    "host-failed",
  ],
  [
    "no skill promises anything",
    { contract: null },
    "NotObserved",
    "no skill of the conversation declares an output contract",
  ],
  [
    "an empty promise",
    { contract: { markers: [], maxChars: null, schemas: [], prose: null, offers: [] } },
    "NotObserved",
    "declares an output contract",
  ],
  [
    "a schema that is none",
    { contract: { ...contract, schemas: [{ name: "p", schema: { tpye: 1 } as never }] } },
    "NotObserved",
    "the schema p cannot be used",
  ],
  [
    "a vacuous case",
    { record: { ...answered, forced: true }, case: emptyExpect() },
    "NotObserved",
    "expects nothing",
  ],
])("no verdict: %s", async (_, row, code, words) => {
  const report = await grade(row);
  expect(report).toMatchObject({
    status: "invalid",
    pass: null,
    failures: [],
    no_verdict: { code, message: expect.stringContaining(words) },
  });
});

test("what was seen to be wrong counts although the model failed afterwards", async () => {
  const record: Row["record"] = { turns: [rejectedTurn(1)], end: "model-failed", final: null };
  expect(await grade({ record })).toMatchObject({
    status: "fail",
    protocol_after_correction: null,
    scores: { calls: { status: "not_observed" } },
  });
});

test("whether calls were read in the end is shown beside the protocol", async () => {
  const turns = [rejectedTurn(1), rejectedTurn(2)];
  const failed = await grade({ record: { turns, end: "protocol-failed", final: null } });
  expect(failed.protocol_after_correction).toBe(false);
  expect(failed.failures.map(({ code }) => code)).toEqual([
    ...["CallRejected", "CallRejected", "CallResult", "FinalMissing"],
  ]);
  const corrected = await grade({ record: { turns: [rejectedTurn(1), ...shifted(1)] } });
  expect(corrected).toMatchObject({ status: "fail", protocol_after_correction: true });
  expect(corrected.failures[0]?.message).toContain("fenced; it looks like a call of risk_detector");
  expect((await grade({ record: answered })).protocol_after_correction).toBeNull();
});

test("what the author should know is reported, and is no failure", async () => {
  const findings = ["undeclared-argument: /x"];
  const turns = [
    { ...calledTurn(1, { findings }), warnings: ["legacy-form" as const] },
    calledTurn(2, failing),
    finalTurn(3, "共 3 处风险"),
  ];
  const selected = sampleRecord().selected.map((skill) => ({ ...skill, truncated: true }));
  const report = await grade({ record: { turns, selected, unused_turns: 2 } });

  expect(report).toMatchObject({ status: "pass" });
  expect(report.warnings).toEqual([
    "2 turns of the script were never used",
    "the prompt of contract-review was truncated to fit the context",
    "turn 1: legacy-form",
    "turn 1: risk_detector: undeclared-argument: /x",
    expect.stringContaining(
      'turn 2: risk_detector gave no result (bad-arguments: /x is required); if this is intended, add "expect": {"tool_calls"',
    ),
  ]);
});

test("a ban that nothing could have broken is not exercised", async () => {
  const record = { ...answered, tools: [] };
  const report = await grade({ record, case: { ...noUse, tool_calls: [] } });
  expect(report.not_exercised).toEqual(["no call"]);
});

test("costs are added up, those of corrections apart, and a call without figures is counted", async () => {
  const usage = { promptTokens: 10, completionTokens: 5, totalTokens: 15, costUsd: 0.5 };
  const turns = [rejectedTurn(1), ...shifted(1)].map((turn) => ({ ...turn, usage }));
  const paid = await grade({ record: { turns, unused_turns: null } });
  expect(paid.tallies).toMatchObject({
    ...{ turns: 0, first_pass: 0, trigger: null, unknown_usage: 0 },
    ...{ tokens: 45, input_tokens: 30, output_tokens: 15, retry_tokens: 15, cost_usd: 1.5 },
  });
  const unknown = await grade({ record: { unused_turns: null } });
  expect(unknown.tallies).toMatchObject({ unknown_usage: 2, tokens: 0, cost_usd: null });
  expect((await grade({})).tallies).toMatchObject({ unknown_usage: 0, cost_usd: 0 });
});

test("what a hostile reply says cannot be read as anything else", async () => {
  const text = `\u001b[31m共 3\u202e ${"<script>".repeat(50)}`;
  const report = await grade({ record: finalReply(text), case: { output: { contains_all: ["风险"] } } });
  expect(JSON.stringify(report.failures)).not.toMatch(/\\u001b|\u202e/);
});
