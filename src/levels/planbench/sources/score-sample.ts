import type { HarnessFault } from "../../../contract/cause.ts";
import { maxViolations, type Violation } from "../../../contract/output-contract.ts";
import type { PlanDetails, PlanEvidence } from "../../../contract/planbench-report.ts";
import { shorten, shortenWords } from "../../../shared/text/visible-text.ts";

/** What a case asks of a plan. */
export interface PlanRules {
  /** What of the output contract does not hold. */
  check(output: string): readonly Violation[];
  maxRepairs: number;
}

/** The outcome of a sample. */
export interface SampleVerdict extends Pick<PlanDetails, "outcome" | "repairs" | "violations"> {
  /** Why there is no outcome; null where there is one. */
  fault: { cause: HarnessFault; message: string } | null;
}

/** Decides the outcome of a sample from its evidence. The last plan is checked again. */
export function scoreSample(
  evidence: PlanEvidence,
  rules: PlanRules & { hasExecutor: boolean },
): SampleVerdict {
  const { attempts, fault, overdueMs, service, executionError } = evidence;
  const last = attempts.at(-1);
  const error = (cause: HarnessFault, message: string): SampleVerdict => ({
    outcome: "error",
    repairs: null,
    violations: last?.violations ?? [],
    fault: { cause, message },
  });
  const fail = (violations: readonly Violation[]): SampleVerdict => ({
    outcome: "fail",
    repairs: null,
    violations: shortViolations(violations),
    fault: null,
  });
  if (fault !== null) return error(fault.cause as HarnessFault, fault.message);
  if (overdueMs !== null) return fail([overdueViolation(overdueMs)]);
  const violations = evidence.isOutputCut ? storedViolations(evidence) : planViolations(evidence, rules);
  if (violations.length > 0) return fail(violations);
  if (service !== null && service.repairs === null)
    return error("provider-error", "final_result has no attempt_count of 1 or more");
  if (executionError !== null) return fail([{ pointer: "", reason: executionError }]);
  // Only if a plan is valid now that was not valid when it was made.
  if (rules.hasExecutor && last?.executed !== true)
    return error("not-observed", "the plan is valid but was not executed");
  return {
    outcome: "ok",
    repairs: service?.repairs ?? attempts.length - 1,
    violations: [],
    fault: null,
  };
}

/** What is wrong with an answer, without executing its plan. */
export function planViolations(
  { output, problem, service }: Pick<PlanEvidence, "output" | "problem" | "service">,
  { check, maxRepairs }: PlanRules,
): Violation[] {
  if (problem !== null) return [{ pointer: "", reason: problem }];
  const found = [...check(output ?? "")];
  if (found.length === 0 && (service?.repairs ?? 0) > maxRepairs)
    found.push({ pointer: "", reason: `needed more than the ${maxRepairs} allowed repairs` });
  return found;
}

/** What was found when the whole output was available. */
function storedViolations({ attempts }: PlanEvidence): Violation[] {
  const last = attempts.at(-1);
  return last === undefined || last.valid ? [] : last.violations;
}

export function overdueViolation(timeoutMs: number): Violation {
  return { pointer: "", reason: `no valid plan within ${timeoutMs} ms` };
}

const maxReasonLength = 300;
const maxPointerLength = 300;

/** Truncated as they are stored. */
export function shortViolations(violations: readonly Violation[]): Violation[] {
  return violations.slice(0, maxViolations).map(({ pointer, reason }) => ({
    pointer: shorten(pointer, maxPointerLength),
    reason: shortenWords(reason, maxReasonLength),
  }));
}
