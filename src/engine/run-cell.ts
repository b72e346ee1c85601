import { type Cell, subjectName } from "../contract/cell.ts";
import type { CellName } from "../contract/event.ts";
import type { RunInput, SuiteRun } from "../contract/level.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Attempt } from "../contract/result.ts";
import { onAbort } from "../shared/async/abort.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import { type RecordedTime, withRecordedTime } from "../shared/async/recorded-time.ts";
import { longestDemandMs } from "../shared/network/http.ts";
import { cellResult } from "./cell-result.ts";
import type { Emit } from "./emit.ts";
import { failureScorer, isRetryable } from "./failed-call.ts";
import { describeFault, latencyOf, pickSideOutput } from "./outcome-words.ts";
import type { InputWatch } from "./run-inputs.ts";
import type { Spending } from "./spending.ts";

export interface CellContext {
  suite: SuiteRun;
  redact: <Value>(value: Value) => Value;
  clock: Clock;
  /** Wall-clock time that does not jump during the run: shows which cells ran at the same time. */
  steadyNow: () => number;
  random: () => number;
  signal: AbortSignal;
  emit: Emit;
  /** Knows whether what cells rest on has changed. */
  watch: InputWatch;
  /** Knows whether there is money left. */
  spending: Spending;
  /** Attempts at this cell in an earlier part of the run. */
  earlierAttempts: ((cell: Cell) => Promise<readonly Attempt[]>) | null;
}

/** Runs one cell to its end: attempts, score, and the events of both. */
export async function runCell(cell: Cell, context: CellContext): Promise<void> {
  const { suite, clock, signal, emit } = context;
  const name = eventName(cell);
  const inputs = suite.inputsOf?.(cell) ?? noInputs;
  const attempts: Attempt[] =
    context.earlierAttempts === null ? [] : [...(await context.earlierAttempts(cell))];
  for (let tries = 1; ; tries++) {
    const n = (attempts.at(-1)?.n ?? 0) + 1;
    signal.throwIfAborted();
    await emit.begin({ type: "attempt-started", cell: name, attempt: n, at: isoTime(clock.now()) });
    const beganAtMs = context.steadyNow();
    const refused = context.spending.refusal() ?? (await context.watch.refusal(inputs));
    const outcome = refused ?? (await execute(cell, context));
    context.spending.addOutcome(suite, cell, outcome);
    attempts.push(makeAttempt(n, outcome));
    emit({
      type: "attempt-ended",
      cell: name,
      attempt: attempts.at(-1) as Attempt,
      ...pickSideOutput(outcome),
    });
    if (tries > suite.retries || !mayRetry(outcome) || failureScorer(suite, cell, outcome) !== null) {
      const facts = { suite, attempts, beganAtMs, clock, redact: context.redact, signal };
      const result = await unlessStopped(cellResult(cell, outcome, facts), signal);
      emit.ended(name, context.watch.confirm(result, inputs, suite.detailsOf?.(cell) ?? {}));
      return;
    }
    await clock.sleep(pauseMs(tries, outcome, context.random), signal);
  }
}

/** Executes a cell. Of a replay the time is the recorded one, and none where nothing recorded answered. */
async function execute(cell: Cell, { suite, signal }: CellContext): Promise<Outcome> {
  if (suite.replaysModels !== true) return suite.execute(cell, signal);
  const { value, recorded } = await withRecordedTime(() => suite.execute(cell, signal));
  if (value.status !== "answered") return value;
  return { ...value, recorded: recorded ?? noTime };
}

const noTime: RecordedTime = { ms: null, at: null };

const noInputs: readonly RunInput[] = [];

/** The name of a cell in events. */
export function eventName({ key, position, level, suiteId, subject, case: one, trial }: Cell): CellName {
  return { key, position, level, suite: suiteId, subject: subjectName(subject), caseId: one.id, trial };
}

const scoringGraceMs = 200;

/** Gives up scoring shortly after an interruption: nobody should wait for a scorer then. Resuming runs the cell again. */
export function unlessStopped<Value>(scoring: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => void setTimeout(() => reject(signal.reason), scoringGraceMs).unref();
    const callOff = onAbort(signal, stop);
    if (signal.aborted) stop();
    scoring.then(resolve, reject).finally(callOff);
  });
}

function mayRetry(outcome: Outcome): boolean {
  if (outcome.status === "timed-out") return true;
  if (outcome.status !== "failed" || !isRetryable(outcome)) return false;
  return (outcome.retryAfterMs ?? 0) <= longestDemandMs;
}

const firstPauseMs = 250;
const maxPauseMs = 30_000;

/** Exponential backoff with jitter, so that failing cells do not retry in step. */
function pauseMs(tries: number, outcome: Outcome, random: () => number): number {
  if (outcome.status === "failed" && outcome.retryAfterMs !== undefined)
    return Math.max(0, outcome.retryAfterMs);
  return Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1) * (1 + random() / 2));
}

function makeAttempt(n: number, outcome: Outcome): Attempt {
  const latencyMs = latencyOf(outcome);
  if (outcome.status === "answered") return { n, status: "answered", code: null, latencyMs, message: null };
  const { status, error } = describeFault(outcome);
  const attempt: Attempt = { n, status, code: error.code, latencyMs, message: error.message };
  if (outcome.status !== "failed") return attempt;
  const { statusCode, isFinal, isReported } = outcome;
  if (statusCode !== undefined) attempt.statusCode = statusCode;
  if (isFinal !== undefined) attempt.isFinal = isFinal;
  if (isReported !== undefined) attempt.isReported = isReported;
  return attempt;
}
