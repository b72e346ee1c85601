import { startTimer } from "../base/clock.ts";
import { onAbort } from "../base/on-abort.ts";
import type { PlanSample } from "../contract/planbench-report.ts";
import type { Violation } from "../contract/violation.ts";
import type { PlanExecutor } from "./plan-executor.ts";
import type { Generated, PlanSource, PlanToRepair } from "./plan-source.ts";
import { type RecordFacts, SampleRecord } from "./sample-record.ts";

export interface SampleOptions extends RecordFacts {
  source: PlanSource;
  /** What of the output contract does not hold. */
  check(output: string): readonly Violation[];
  /** Carries out what is valid; null where nobody does. */
  executor: PlanExecutor | null;
  maxRepairs: number;
  /** Of all attempts together. */
  timeoutMs: number;
}

/** Tries a case once: attempts and repairs until a plan is valid, and carried out, or none may follow. Throws only the signal's reason. */
export async function runSample(options: SampleOptions, signal: AbortSignal): Promise<PlanSample> {
  const { timeoutMs } = options;
  signal.throwIfAborted();
  const sample = new SampleRecord(options);
  const stop = new AbortController();
  let isOver = false;
  const timer = startTimer(() => {
    isOver = true;
    stop.abort(new Error("the deadline passed"));
  }, timeoutMs);
  const callOff = onAbort(signal, () => stop.abort(signal.reason));
  try {
    return await tryAll(sample, options, stop.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isOver) throw error;
    return sample.overdue(timeoutMs);
  } finally {
    clearTimeout(timer);
    callOff();
  }
}

async function tryAll(
  sample: SampleRecord,
  { source, check, executor, maxRepairs }: SampleOptions,
  signal: AbortSignal,
): Promise<PlanSample> {
  let repair: PlanToRepair | null = null;
  for (let attempt = 0; ; attempt++) {
    sample.begin();
    const made = await source.generate(attempt, repair, signal);
    signal.throwIfAborted();
    sample.hear(made);
    if (made.status === "failed") return sample.error(made.cause, made.message);
    const violations = violationsOf(made, check, maxRepairs);
    const isValid = violations.length === 0;
    if (isValid && made.status === "generated" && made.service?.repairs === null)
      return sample.error("provider-error", "final_result has no attempt_count from 1 on");
    let executed: boolean | null = null;
    if (isValid && executor !== null && made.status === "generated") {
      const result = await executor.run(made.output.trim(), { attempt, signal });
      signal.throwIfAborted();
      if (result.status === "refused") return sample.error("sandbox-refused", result.message);
      executed = result.status === "done";
      if (result.status === "failed") violations.push({ pointer: "", reason: result.message });
    }
    sample.end({ isValid, violations, executed });
    if (violations.length === 0) return sample.ok();
    if (attempt >= maxRepairs || !source.canRepair) return sample.fail();
    repair = { output: made.status === "generated" ? made.output : "", violations: sample.violations };
  }
}

function violationsOf(
  made: Exclude<Generated, { status: "failed" }>,
  check: SampleOptions["check"],
  maxRepairs: number,
): Violation[] {
  if (made.status === "refused") return [{ pointer: "", reason: made.message }];
  const { service } = made;
  if (service !== undefined && service.problem !== null) return [{ pointer: "", reason: service.problem }];
  const found = [...check(made.output)];
  const repairs = service?.repairs ?? 0;
  if (found.length === 0 && repairs > maxRepairs)
    found.push({ pointer: "", reason: `took more than the ${maxRepairs} repairs that are allowed` });
  return found;
}
