import type { Report } from "../src/contract/report.ts";
import { isRecorded } from "../src/contract/unrecorded-run.ts";
import type { Verdict } from "../src/contract/verdict.ts";

/** The verdict of a whole run in two words, and the mark that stands for it. */
export function verdictOf({ run, gate, exitCode }: Pick<Report, "run" | "gate" | "exitCode">): {
  title: string;
  mark: Verdict | "none";
} {
  if (!isRecorded(run)) return { title: "Evaluated", mark: "none" };
  if (exitCode === 3) return { title: "No verdict", mark: "invalid" };
  if (!gate.enforced) return { title: "Evaluated", mark: "none" };
  return gate.passed ? { title: "Gate passed", mark: "pass" } : { title: "Gate failed", mark: "fail" };
}
