import type { Report } from "../src/contract/report.ts";
import { isRecorded } from "../src/contract/unrecorded-run.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { describeTriggering } from "../src/reporters/describe-triggering.ts";

/** The verdict of a whole run in two words, the mark that stands for it, and why where the gate does not tell. */
export function verdictOf({
  run,
  gate,
  exitCode,
  triggering,
}: Pick<Report, "run" | "gate" | "exitCode" | "triggering">): {
  title: string;
  mark: Verdict | "none";
  why?: string;
} {
  if (!isRecorded(run)) return { title: "Evaluated", mark: "none" };
  if (exitCode === 3) return { title: "No verdict", mark: "invalid" };
  const why = describeTriggering({ gate, exitCode, triggering });
  if (why !== null) return { title: "Failed", mark: "fail", why };
  if (!gate.enforced) return { title: "Evaluated", mark: "none" };
  return gate.passed ? { title: "Gate passed", mark: "pass" } : { title: "Gate failed", mark: "fail" };
}
