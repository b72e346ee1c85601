import { type JudgedWord, whyUnjudged } from "../../../cases/ask-about-sentences.ts";
import { type CheckResult, idleScores, type Judged, judge } from "../../../cases/grade/dimension.ts";
import { toFailure } from "../../../cases/grade/failures.ts";
import { noTallies } from "../../../cases/grade/tallies.ts";
import type { CaseReport, CellTallies, GradedVerdict } from "../../../contract/agent-report.ts";
import type { ConversationEnd, ConversationRecord } from "../../../contract/conversation.ts";
import type { ConversationDimension } from "../../../contract/conversation-case.ts";
import type { LoadedConversationCase } from "../../../contract/loaded-case.ts";
import type { PromisedOutput } from "../../../contract/output-contract.ts";
import { listed, pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { checkCalls } from "./calls.ts";
import { checkContinuation } from "./continuation.ts";
import { type ConversationView, givesNoVerdict, viewConversation } from "./conversation-view.ts";
import { checkHit } from "./hit.ts";
import { checkOutput } from "./output.ts";
import { checkProtocol, readAfterCorrection } from "./protocol.ts";

interface ConversationAbout {
  trial: number;
  model: string;
  /** What the skills of the conversation promise of its output; null where they promise nothing. */
  contract: PromisedOutput | null;
  /** What a judge says of the contract in prose; absent where none was asked. */
  prose?: JudgedWord | undefined;
}

/**
 * Judges a conversation by what was recorded of it and nothing else. Equal records and cases give equal reports. This
 * holds only because patterns are matched in a thread.
 */
export async function gradeConversation(
  record: ConversationRecord,
  loaded: LoadedConversationCase,
  { trial, model, contract, prose }: ConversationAbout,
): Promise<CaseReport> {
  const view = viewConversation(record, loaded, { contract, prose });
  const hit = judged("hit", checkHit(view));
  const protocol = judged("protocol", checkProtocol(view));
  const calls = judged("calls", checkCalls(view));
  const continuation = judged("continuation", checkContinuation(view));
  const output = judged("output", await checkOutput(view));
  const all = [hit, protocol, calls, continuation, output];
  return {
    suite: loaded.suite,
    case_id: loaded.case.id,
    run_id: null,
    level: loaded.level,
    trial,
    model,
    ...conversationVerdict(view, all),
    scores: {
      ...idleScores(),
      output: output.score,
      hit: hit.score,
      protocol: protocol.score,
      calls: calls.score,
      continuation: continuation.score,
    },
    failures: all.flatMap(({ dimension, faults }) => faults.map((fault) => toFailure(dimension, fault))),
    not_exercised: all.flatMap(({ idle }) => idle),
    warnings: conversationWarnings(view),
    stats: {
      turns: record.turns.length,
      tool_calls: view.calls.length,
      script_runs: 0,
      resource_loads: 0,
      model_calls: record.turns.length,
      stop_reason: record.end,
      degraded: null,
      isolation: null,
    },
    tallies: replyTallies(record),
    quotes: {},
    conversation: record,
    protocol_after_correction: readAfterCorrection(view),
    grader: conversationGraderVersion,
  };
}

type JudgedPart = Judged<ConversationDimension>;

function judged(dimension: ConversationDimension, checks: readonly CheckResult[]): JudgedPart {
  return judge(dimension, checks, { isAsserted: true, isDemanded: false });
}

/** What was not observed is never a pass, except the selection where the case names its skills. */
function conversationVerdict({ record, prose }: ConversationView, all: readonly JudgedPart[]): GradedVerdict {
  if (all.some(({ score }) => score.status === "fail"))
    return { status: "fail", pass: false, no_verdict: null };
  const none = (code: string, message: string): GradedVerdict => ({
    status: "invalid",
    pass: null,
    no_verdict: { code, message },
  });
  if (givesNoVerdict(record.end)) {
    const why = record.problem === null ? "" : `: ${shownText(record.problem, 300)}`;
    return none(endCode(record), `the conversation ended with ${record.end}${why}`);
  }
  const unseen = all.filter((part) => part.dimension !== "hit" && part.unseen.length > 0);
  const [unjudged] = prose === undefined ? [] : whyUnjudged(prose);
  if (unseen.length > 0 && unjudged !== undefined) return none(unjudged.code, unjudged.message);
  if (unseen.length > 0) {
    const words = unseen.map(({ dimension, unseen: whys }) => `${dimension} (${listed(whys, 3, "; ")})`);
    return none("NotObserved", `not observed: ${words.join(", ")}`);
  }
  if (!all.some(({ score }) => score.status === "pass"))
    return none("NotObserved", "no dimension was observed: the case expects nothing that the run could show");
  return { status: "pass", pass: true, no_verdict: null };
}

function endCode({ end, turns }: ConversationRecord): string {
  const last = turns.at(-1)?.call;
  if (end === "host-failed" && last?.code === "sandbox-hid") return "SandboxHid";
  return codeOfEnd[end] ?? "internal_error";
}

/** In the words of runs of agents. */
const codeOfEnd: Partial<Record<ConversationEnd, string>> = {
  "model-failed": "model_unavailable",
  "cassette-miss": "CassetteMiss",
  "host-failed": "SandboxUnavailable",
};

/** Changes when the same conversation may get another verdict: stored ones are then graded again. */
export const conversationGraderVersion = "conversation-1";

const maxWarnings = 50;

/** What does not affect the verdict, but the author of a case or a skill should know. */
function conversationWarnings(view: ConversationView): string[] {
  const { record, calls } = view;
  const warnings = [
    ...unusedTurns(record.unused_turns ?? 0),
    ...record.selected
      .filter(({ truncated }) => truncated)
      .map(({ id }) => `the prompt of ${shownText(id)} was truncated to fit the context`),
    ...record.turns.flatMap(({ turn, warnings }) => warnings.map((warning) => `turn ${turn}: ${warning}`)),
    ...calls.flatMap(({ turn, call }) =>
      call.findings.map((finding) => `turn ${turn}: ${shownText(call.name)}: ${shownText(finding, 300)}`),
    ),
    ...unexpectedErrors(view),
  ];
  return [...new Set(warnings)].slice(0, maxWarnings);
}

function unusedTurns(unused: number): string[] {
  if (unused === 0) return [];
  return [`${pluralize(unused, "turn")} of the script ${unused === 1 ? "was" : "were"} never used`];
}

/** A script answers whatever its calls returned: a failure on the way would go unnoticed. */
function unexpectedErrors({ record, expect, calls }: ConversationView): string[] {
  if (record.unused_turns === null) return [];
  return calls.flatMap(({ turn, call }) => {
    const { name, ok, code, message } = call;
    if (ok || code === null) return [];
    if (expect.tool_calls?.some((one) => one.name === name && one.result === code) === true) return [];
    const field = JSON.stringify({ tool_calls: [{ name, result: code }] });
    const why = message === null ? code : shownText(message, 160);
    return [
      `turn ${turn}: ${shownText(name)} gave no result (${why}); if this is intended, add "expect": ${field}`,
    ];
  });
}

/** What a conversation adds to the cost of a suite. The other tallies count JSON actions, which conversations do not have. */
export function replyTallies({ turns, unused_turns }: ConversationRecord): CellTallies {
  const sums = { ...noTallies };
  let cost: number | null = 0;
  for (const [index, { usage }] of turns.entries()) {
    if (usage === null && unused_turns !== null) continue; // a script costs nothing
    cost = cost === null || usage === null || usage.costUsd === null ? null : cost + usage.costUsd;
    const { promptTokens: input = null, completionTokens: output = null } = usage ?? {};
    if (input === null || output === null) {
      sums.unknown_usage++;
      continue;
    }
    sums.input_tokens += input;
    sums.output_tokens += output;
    sums.tokens += input + output;
    if (turns[index - 1]?.kind === "rejected") sums.retry_tokens += input + output;
  }
  return { ...sums, cost_usd: cost };
}
