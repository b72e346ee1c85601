import type { PlanEvidence } from "../../../contract/planbench-report.ts";
import { onAbort } from "../../../shared/async/abort.ts";
import { startTimer } from "../../../shared/async/clock.ts";
import type { PlanExecutor, PlanSource, PlanToRepair } from "./plan-source.ts";
import { type RecordFacts, SampleRecord } from "./sample-record.ts";
import { type PlanRules, planViolations } from "./score-sample.ts";

export interface SampleOptions extends RecordFacts, PlanRules {
  source: PlanSource;
  /** Executes valid plans; null where none is configured. */
  executor: PlanExecutor | null;
  /** Of all attempts together. */
  timeoutMs: number;
}

/**
 * Runs one sample of a case: attempts and repairs until a plan is valid and executed, or no repair is left. `scoreSample`
 * decides the outcome. Throws only the signal's reason.
 */
export async function runSample(options: SampleOptions, signal: AbortSignal): Promise<PlanEvidence> {
  const { timeoutMs } = options;
  signal.throwIfAborted();
  const record = new SampleRecord(options);
  const stop = new AbortController();
  let isOver = false;
  const timer = startTimer(() => {
    isOver = true;
    stop.abort(new Error("the deadline passed"));
  }, timeoutMs);
  const callOff = onAbort(signal, () => stop.abort(signal.reason));
  try {
    return await tryAll(record, options, stop.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isOver) throw error;
    return record.overdue(timeoutMs);
  } finally {
    clearTimeout(timer);
    callOff();
  }
}

async function tryAll(
  record: SampleRecord,
  { source, check, executor, maxRepairs }: SampleOptions,
  signal: AbortSignal,
): Promise<PlanEvidence> {
  let repair: PlanToRepair | null = null;
  for (let attempt = 0; ; attempt++) {
    record.begin();
    const made = await source.generate(attempt, repair, signal);
    signal.throwIfAborted();
    const last = record.add(made);
    if (made.status === "failed") return record.fault(made.cause, made.message);
    const violations = planViolations(last, { check, maxRepairs });
    const isValid = violations.length === 0;
    // The service did not report its number of attempts, so the outcome is unknown.
    if (isValid && last.service !== null && last.service.repairs === null) return record.evidence();
    let executed: boolean | null = null;
    if (isValid && executor !== null && made.status === "generated") {
      const result = await executor.run(made.output.trim(), { attempt, signal });
      signal.throwIfAborted();
      if (result.status === "refused") return record.fault(result.cause ?? "sandbox-refused", result.message);
      executed = result.status === "done";
      if (result.status === "failed") violations.push({ pointer: "", reason: result.message });
    }
    const ended = record.end({ isValid, violations, executed });
    if (violations.length === 0 || attempt >= maxRepairs || !source.canRepair) return record.evidence();
    repair = {
      output: made.status === "generated" ? made.output : "",
      violations: ended.violations,
    };
  }
}
