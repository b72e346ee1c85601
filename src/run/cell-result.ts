import { roundMs } from "../aggregate/round-numbers.ts";
import { sha256 } from "../base/canonical-json.ts";
import { type Clock, isoTime } from "../base/clock.ts";
import type { Cell, TestedSkill } from "../contract/cell.ts";
import type { ContainmentStamp } from "../contract/containment.ts";
import type { Json } from "../contract/json.ts";
import type { Answered, Outcome } from "../contract/outcome.ts";
import type { Attempt, CellResult } from "../contract/result.ts";
import type { Score } from "../contract/score.ts";
import { chatterOf, faultWords } from "./outcome-words.ts";

/** Says what about an output does not fit what the skill promised, or nothing. */
export type OutputCheck = (cell: Cell, output: Json) => string[];

export interface ResultContext {
  attempts: readonly Attempt[];
  beganAtMs: number;
  clock: Clock;
  checkOutput: OutputCheck;
  /** How a result of this skill was contained; null where nothing of it runs on this machine. */
  stampOf: (skill: TestedSkill) => ContainmentStamp | null;
  /** Whether all of the output is kept: its maker knows how long it can become. */
  keepsWholeOutput?: boolean | undefined;
  /** Aborted when the run is interrupted. */
  signal: AbortSignal;
  /** What is cut is cleaned first: half a secret is found by nobody. */
  redact: <Value>(value: Value) => Value;
}

const keptOutputBytes = 65_536;

/** Scores the last outcome of a cell and writes down everything that is kept of it. */
export async function cellResult(cell: Cell, outcome: Outcome, context: ResultContext): Promise<CellResult> {
  const { task } = cell.task;
  const { judge, ...judged } = await verdict(cell, outcome, context.signal);
  const warnings = [
    ...(outcome.warnings ?? []),
    ...(outcome.status === "answered" ? context.checkOutput(cell, outcome.output) : []),
  ];
  return {
    taskId: task.id,
    skillId: cell.skill.id,
    trial: cell.trial,
    taskDigest: cell.task.digest,
    cellKey: cell.key,
    ...judged,
    latencyMs: roundMs(outcome.latencyMs),
    scorerType: cell.task.scorer.type,
    ...keptOutput(outcome, context),
    usage: outcome.usage ?? null,
    judge: judge ?? null,
    weight: task.weight,
    tags: task.tags,
    attempts: [...context.attempts],
    ...(outcome.startupMs !== undefined && { startupMs: Math.round(outcome.startupMs) }),
    ...(warnings.length > 0 && { warnings }),
    ...(outcome.status !== "answered" && chatterOf(outcome)),
    ...(outcome.network !== undefined && { network: outcome.network }),
    ...(outcome.network !== undefined && outcome.network.length > 0 && { network: outcome.network }),
    containment: context.stampOf(cell.skill),
    beganAtMs: Math.round(context.beganAtMs),
    finishedAt: isoTime(context.clock.now()),
  };
}

type Verdict = Pick<CellResult, "status" | "score" | "reason" | "error">;
type Judged = Verdict & Pick<Score, "judge">;

async function verdict(cell: Cell, outcome: Outcome, signal: AbortSignal): Promise<Judged> {
  if (outcome.status === "answered") {
    const scored = await score(cell, outcome, signal);
    return { ...verdictOf(scored), judge: scored.judge };
  }
  const { status, error } = faultWords(outcome);
  return { status, score: status === "invalid" ? null : 0, reason: null, error };
}

async function score(
  { task: { task, scorer }, trial }: Cell,
  { output, latencyMs }: Answered,
  signal: AbortSignal,
): Promise<Score> {
  try {
    const score = await scorer.score({ task, output, latencyMs, trial, signal });
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
export function verdictOf(score: Score): Verdict {
  if (score.score === null) {
    return {
      status: "invalid",
      score: null,
      reason: null,
      error: { code: score.cause, message: score.message },
    };
  }
  return { status: score.passed ? "pass" : "fail", score: score.score, reason: score.reason, error: null };
}

/** Scorers saw the whole output; the record keeps the beginning of a large one, its size and its hash. */
function keptOutput(
  outcome: Outcome,
  { redact, keepsWholeOutput = false }: ResultContext,
): Pick<CellResult, "output" | "outputTruncated" | "outputBytes" | "outputSha256" | "rawBase64"> {
  if (outcome.status !== "answered") {
    if (outcome.rawBase64 !== undefined) return keptRaw(outcome.rawBase64);
    return {
      output: null,
      outputTruncated: outcome.bytesSeen !== undefined,
      outputBytes: outcome.bytesSeen ?? 0,
    };
  }
  const text = JSON.stringify(outcome.output);
  const outputBytes = Buffer.byteLength(text);
  if (keepsWholeOutput || outputBytes <= keptOutputBytes)
    return { output: outcome.output, outputTruncated: false, outputBytes };
  const output = Buffer.from(JSON.stringify(redact(outcome.output)))
    .subarray(0, keptOutputBytes)
    .toString("utf8")
    .replace(/\ufffd$/, "");
  return { output, outputTruncated: true, outputBytes, outputSha256: sha256(text) };
}

/** What could not be decoded stays base64, `rawBase64` holding as much of it as of any output. */
function keptRaw(rawBase64: string) {
  const bytes = Buffer.from(rawBase64, "base64");
  return {
    output: null,
    outputTruncated: bytes.length > keptOutputBytes,
    outputBytes: bytes.length,
    outputSha256: sha256(bytes),
    rawBase64: bytes.subarray(0, keptOutputBytes).toString("base64"),
  };
}
