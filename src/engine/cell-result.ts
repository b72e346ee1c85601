import type { Cell } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Answered, Outcome } from "../contract/outcome.ts";
import type { Attempt, CellResult } from "../contract/result.ts";
import type { Score } from "../contract/scorer.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { failureScorer, outcomeOf } from "./failed-call.ts";
import { describeFault, latencyOf, pickSideOutput } from "./outcome-words.ts";

export interface ResultContext {
  suite: SuiteRun;
  attempts: readonly Attempt[];
  beganAtMs: number;
  clock: Clock;
  /** Aborted when the run is interrupted. */
  signal: AbortSignal;
  /** Applied before an output is cut: half a secret would no longer be recognized. */
  redact: <Value>(value: Value) => Value;
}

const maxStoredBytes = 65_536;

/** Scores the last outcome of a cell and builds the result that is stored. */
export async function cellResult(cell: Cell, outcome: Outcome, context: ResultContext): Promise<CellResult> {
  const { suite, clock, signal } = context;
  const { key, level, suiteId, subject, case: one, trial } = cell;
  const { status, score, cause, reason, judge, details, warnings } = await judgeOutcome(
    cell,
    outcome,
    suite,
    signal,
  );
  const answer = storedOutput(outcome, context);
  const usage = outcome.usage ?? null;
  // One literal without spreading: this is built for every cell, and spreading costs several times as much.
  const result: CellResult = {
    key,
    level,
    suite: suiteId,
    skillId: subject.skillId,
    caseId: one.id,
    caseDigest: one.digest,
    trial,
    model: subject.model,
    arm: subject.arm,
    status,
    score,
    cause,
    reason,
    latencyMs: latencyOf(outcome),
    usage,
    costUsd: usage?.costUsd ?? null,
    judge: judge ?? null,
    containment: suite.stampOf(subject),
    attempts: context.attempts.slice(),
    output: answer.output,
    outputTruncated: answer.outputTruncated,
    outputBytes: answer.outputBytes,
    warnings: collectWarnings(cell, outcome, suite, warnings),
    beganAtMs: Math.round(context.beganAtMs),
    finishedAt: isoTime(clock.now()),
    details: allDetails(suite.detailsOf?.(cell), details),
  };
  if (answer.outputSha256 !== undefined) result.outputSha256 = answer.outputSha256;
  if (answer.rawBase64 !== undefined) result.rawBase64 = answer.rawBase64;
  if (outcome.status === "answered" && outcome.recorded !== undefined && outcome.recorded.ms !== null)
    result.recordedAt = outcome.recorded.at;
  if (outcome.startupMs !== undefined) result.startupMs = Math.round(outcome.startupMs);
  if (outcome.network !== undefined && outcome.network.length > 0) result.network = outcome.network;
  if (outcome.status !== "answered") Object.assign(result, pickSideOutput(outcome));
  return result;
}

function collectWarnings(
  cell: Cell,
  outcome: Outcome,
  suite: SuiteRun,
  found: readonly string[] | undefined,
): readonly string[] {
  const checked =
    outcome.status === "answered" ? (suite.checkOutput?.(cell, outcome.output) ?? noWarnings) : noWarnings;
  const own = outcome.warnings ?? noWarnings;
  if (own.length === 0 && checked.length === 0) return found ?? noWarnings;
  return [...own, ...checked, ...(found ?? noWarnings)];
}

const noWarnings: readonly string[] = [];

/** The details every cell has, and those its score added. */
function allDetails(own: JsonObject | undefined, added: JsonObject | undefined): JsonObject {
  if (own === undefined || added === undefined) return own ?? added ?? {};
  return { ...own, ...added };
}

type CellNames = Pick<
  CellResult,
  "key" | "level" | "suite" | "skillId" | "caseId" | "caseDigest" | "trial" | "model" | "arm"
>;

function cellNames({ key, level, suiteId, subject, case: one, trial }: Cell): CellNames {
  const { skillId, model, arm } = subject;
  return {
    key,
    level,
    suite: suiteId,
    skillId,
    caseId: one.id,
    caseDigest: one.digest,
    trial,
    model,
    arm,
  };
}

type Verdict = Pick<CellResult, "status" | "score" | "cause" | "reason">;

async function judgeOutcome(
  cell: Cell,
  outcome: Outcome,
  suite: SuiteRun,
  signal: AbortSignal,
): Promise<Verdict & Pick<Score, "judge" | "details" | "warnings">> {
  if (outcome.status === "answered") {
    const score = await scoreAnswer(cell, outcome, suite, signal);
    const { status, score: value, cause, reason } = scoreVerdict(score);
    const { judge, details, warnings } = score;
    return { status, score: value, cause, reason, judge, details, warnings };
  }
  const scoreFailure = failureScorer(suite, cell, outcome);
  if (scoreFailure !== null) {
    const score = await guarded(() => scoreFailure(outcome.latencyMs, signal), signal);
    const { judge, details, warnings } = score;
    return { ...scoreVerdict(score), judge, details, warnings };
  }
  const { status, error } = describeFault(outcome);
  return { status, score: status === "invalid" ? null : 0, cause: error.code, reason: error.message };
}

/** An old verdict says nothing about a new expectation. */
const cutAnswer = {
  status: "invalid",
  score: null,
  cause: "no-verdict",
  reason: "the stored answer is truncated and cannot be scored again",
} as const;

function scoreAnswer(
  cell: Cell,
  answer: Answered,
  suite: SuiteRun,
  signal: AbortSignal,
  before?: CellResult,
): Promise<Score> {
  return guarded(() => suite.score(answer, cell, signal, before), signal);
}

async function guarded(scoring: () => Score | Promise<Score>, signal: AbortSignal): Promise<Score> {
  try {
    const score = await scoring();
    if (score.score === null || (score.score >= 0 && score.score <= 1)) return score;
    return {
      score: null,
      cause: "scorer-bad-result",
      message: `the score ${score.score} is not between 0 and 1`,
    };
  } catch (error) {
    signal.throwIfAborted();
    // A scorer that throws is itself at fault; the answer is neither right nor wrong.
    const message = error instanceof Error ? error.message : String(error);
    return { score: null, cause: "scorer-crashed", message };
  }
}

function scoreVerdict(score: Score): Verdict {
  if (score.score === null)
    return { status: "invalid", score: null, cause: score.cause, reason: score.message };
  return { status: score.passed ? "pass" : "fail", score: score.score, cause: null, reason: score.reason };
}

/** What rescoring needs of a run. */
export interface RescoreContext extends Pick<ResultContext, "suite" | "signal"> {
  /** Whether only the rules changed, not the expectation: judges are then not asked again. */
  isSameCase: boolean;
}

/** Scores a stored result again. One that only we kept from a verdict stays as it is. */
export async function rescoredResult(
  stored: CellResult,
  cell: Cell,
  { suite, signal, isSameCase }: RescoreContext,
): Promise<CellResult> {
  const named = { ...stored, ...cellNames(cell) };
  const ended = stored.attempts.at(-1);
  if (ended === undefined || ended.status === "invalid" || ended.status === "interrupted") return named;
  if (ended.status !== "answered") {
    const failure = outcomeOf(ended);
    const isPlain = failureScorer(suite, cell, failure) === null;
    if (isPlain && (stored.status === "error" || stored.status === "timeout")) return named;
    const { judge, details, warnings, ...verdict } = await judgeOutcome(cell, failure, suite, signal);
    const own = allDetails(suite.detailsOf?.(cell), details);
    const all = [...new Set([...stored.warnings, ...(warnings ?? [])])];
    return { ...named, ...verdict, judge: judge ?? null, warnings: all, details: own };
  }
  if (stored.outputTruncated) return stored.key === cell.key ? named : { ...named, ...cutAnswer };
  const { output, latencyMs, usage } = stored;
  const answer: Answered = {
    status: "answered",
    output,
    latencyMs: latencyMs ?? 0,
    ...(usage !== null && { usage }),
  };
  const score = await scoreAnswer(cell, answer, suite, signal, isSameCase ? stored : undefined);
  // Warnings of the execution do not come from the scorer, so they stay.
  const found = [...stored.warnings, ...(suite.checkOutput?.(cell, output) ?? []), ...(score.warnings ?? [])];
  const warnings = [...new Set(found)];
  return {
    ...named,
    ...scoreVerdict(score),
    judge: score.judge ?? null,
    warnings,
    details: allDetails(suite.detailsOf?.(cell), score.details),
  };
}

/** Scorers see the whole output; of a large one only the beginning, size and hash are stored. */
function storedOutput(
  outcome: Outcome,
  { redact, suite }: ResultContext,
): Pick<CellResult, "output" | "outputTruncated" | "outputBytes" | "outputSha256" | "rawBase64"> {
  if (outcome.status !== "answered") {
    if (outcome.rawBase64 !== undefined) return storedRaw(outcome.rawBase64);
    return {
      output: null,
      outputTruncated: outcome.bytesSeen !== undefined,
      outputBytes: outcome.bytesSeen ?? 0,
    };
  }
  const text = JSON.stringify(outcome.output);
  const outputBytes = Buffer.byteLength(text);
  if (suite.keepsWholeOutput === true || outputBytes <= maxStoredBytes)
    return { output: outcome.output, outputTruncated: false, outputBytes };
  const output = Buffer.from(JSON.stringify(redact(outcome.output)))
    .subarray(0, maxStoredBytes)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return { output, outputTruncated: true, outputBytes, outputSha256: sha256(text) };
}

/** Bytes that could not be decoded are stored as base64, up to the same limit as any output. */
function storedRaw(rawBase64: string) {
  const bytes = Buffer.from(rawBase64, "base64");
  return {
    output: null,
    outputTruncated: bytes.length > maxStoredBytes,
    outputBytes: bytes.length,
    outputSha256: sha256(bytes),
    rawBase64: bytes.subarray(0, maxStoredBytes).toString("base64"),
  };
}
