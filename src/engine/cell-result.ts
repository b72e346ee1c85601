import type { Cell } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Answered, Outcome } from "../contract/outcome.ts";
import type { Attempt, CellResult } from "../contract/result.ts";
import type { Score } from "../contract/scorer.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { JsonObject } from "../shared/json/json.ts";
import { roundMs } from "../shared/statistics/numbers.ts";
import { chatterOf, faultWords } from "./outcome-words.ts";

export interface ResultContext {
  suite: SuiteRun;
  attempts: readonly Attempt[];
  beganAtMs: number;
  clock: Clock;
  /** Aborted when the run is interrupted. */
  signal: AbortSignal;
  /** What is cut is cleaned first: half a secret is found by nobody. */
  redact: <Value>(value: Value) => Value;
}

const storedOutputBytes = 65_536;

/** Scores the last outcome of a cell and writes down everything that is stored of it. */
export async function cellResult(cell: Cell, outcome: Outcome, context: ResultContext): Promise<CellResult> {
  const { suite, clock, signal } = context;
  const { key, level, suiteId, subject, case: one, trial } = cell;
  const { status, score, cause, reason, judge, details, warnings } = await judged(
    cell,
    outcome,
    suite,
    signal,
  );
  const answer = storedOutput(outcome, context);
  const usage = outcome.usage ?? null;
  // One literal, without spreading: this is made for every cell, and objects put together from pieces cost a multiple.
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
    latencyMs: roundMs(outcome.latencyMs),
    usage,
    costUsd: usage?.costUsd ?? null,
    judge: judge ?? null,
    containment: suite.stampOf(subject),
    attempts: context.attempts.slice(),
    output: answer.output,
    outputTruncated: answer.outputTruncated,
    outputBytes: answer.outputBytes,
    warnings: warningsOf(cell, outcome, suite, warnings),
    beganAtMs: Math.round(context.beganAtMs),
    finishedAt: isoTime(clock.now()),
    details: allDetails(suite.detailsOf?.(cell), details),
  };
  if (answer.outputSha256 !== undefined) result.outputSha256 = answer.outputSha256;
  if (answer.rawBase64 !== undefined) result.rawBase64 = answer.rawBase64;
  if (outcome.startupMs !== undefined) result.startupMs = Math.round(outcome.startupMs);
  if (outcome.network !== undefined && outcome.network.length > 0) result.network = outcome.network;
  if (outcome.status !== "answered") Object.assign(result, chatterOf(outcome));
  return result;
}

function warningsOf(
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

/** What a cell has however it ended, and what its score added. */
function allDetails(own: JsonObject | undefined, scored: JsonObject | undefined): JsonObject {
  if (own === undefined || scored === undefined) return own ?? scored ?? {};
  return { ...own, ...scored };
}

type CellNames = Pick<
  CellResult,
  "key" | "level" | "suite" | "skillId" | "caseId" | "caseDigest" | "trial" | "model" | "arm"
>;

function nameOf({ key, level, suiteId, subject, case: one, trial }: Cell): CellNames {
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

async function judged(
  cell: Cell,
  outcome: Outcome,
  suite: SuiteRun,
  signal: AbortSignal,
): Promise<Verdict & Pick<Score, "judge" | "details" | "warnings">> {
  if (outcome.status === "answered") {
    const score = await scored(cell, outcome, suite, signal);
    const { status, score: value, cause, reason } = verdictOf(score);
    const { judge, details, warnings } = score;
    return { status, score: value, cause, reason, judge, details, warnings };
  }
  const { status, error } = faultWords(outcome);
  return { status, score: status === "invalid" ? null : 0, cause: error.code, reason: error.message };
}

/** An old verdict says nothing about a new expectation. */
const cutAnswer = {
  status: "invalid",
  score: null,
  cause: "no-verdict",
  reason: "the stored answer is truncated and cannot be scored again",
} as const;

async function scored(
  cell: Cell,
  answer: Answered,
  suite: SuiteRun,
  signal: AbortSignal,
  before?: CellResult,
): Promise<Score> {
  try {
    const score = await suite.score(answer, cell, signal, before);
    if (score.score === null || (score.score >= 0 && score.score <= 1)) return score;
    return {
      score: null,
      cause: "scorer-bad-result",
      message: `the score ${score.score} is not between 0 and 1`,
    };
  } catch (error) {
    signal.throwIfAborted();
    // A scorer that throws has a fault of its own; the answer it choked on is neither right nor wrong.
    const message = error instanceof Error ? error.message : String(error);
    return { score: null, cause: "scorer-crashed", message };
  }
}

/** What a score says about a cell. */
function verdictOf(score: Score): Verdict {
  if (score.score === null)
    return { status: "invalid", score: null, cause: score.cause, reason: score.message };
  return { status: score.passed ? "pass" : "fail", score: score.score, cause: null, reason: score.reason };
}

/** What rescoring needs of a run. */
export interface RescoreContext extends Pick<ResultContext, "suite" | "signal"> {
  /** Whether only the rules have changed, not what is expected: judges are then not asked again. */
  isSameCase: boolean;
}

/** Decides anew about a stored result; the same where there was no answer to decide about. */
export async function rescoredResult(
  stored: CellResult,
  cell: Cell,
  { suite, signal, isSameCase }: RescoreContext,
): Promise<CellResult> {
  const named = { ...stored, ...nameOf(cell) };
  if (stored.status === "error" || stored.status === "timeout") return named;
  if (stored.attempts.at(-1)?.status !== "answered") return named;
  if (stored.outputTruncated) return stored.key === cell.key ? named : { ...named, ...cutAnswer };
  const { output, latencyMs, usage } = stored;
  const answer: Answered = { status: "answered", output, latencyMs, ...(usage !== null && { usage }) };
  const score = await scored(cell, answer, suite, signal, isSameCase ? stored : undefined);
  // What was noticed while the answer came about was not said by the scorer, and stays.
  const found = [...stored.warnings, ...(suite.checkOutput?.(cell, output) ?? []), ...(score.warnings ?? [])];
  const warnings = [...new Set(found)];
  return {
    ...named,
    ...verdictOf(score),
    judge: score.judge ?? null,
    warnings,
    details: allDetails(suite.detailsOf?.(cell), score.details),
  };
}

/** Scorers saw the whole output; the record holds the beginning of a large one, its size and its hash. */
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
  if (suite.keepsWholeOutput === true || outputBytes <= storedOutputBytes)
    return { output: outcome.output, outputTruncated: false, outputBytes };
  const output = Buffer.from(JSON.stringify(redact(outcome.output)))
    .subarray(0, storedOutputBytes)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return { output, outputTruncated: true, outputBytes, outputSha256: sha256(text) };
}

/** What could not be decoded stays base64, `rawBase64` holding as much of it as of any output. */
function storedRaw(rawBase64: string) {
  const bytes = Buffer.from(rawBase64, "base64");
  return {
    output: null,
    outputTruncated: bytes.length > storedOutputBytes,
    outputBytes: bytes.length,
    outputSha256: sha256(bytes),
    rawBase64: bytes.subarray(0, storedOutputBytes).toString("base64"),
  };
}
