import type { PlanReport } from "../src/contract/planbench-report.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { describePlanOpen } from "../src/reporters/planbench/plan-gate-words.ts";

type Told = Pick<PlanReport, "exitCode" | "gate" | "summary">;

/** The verdict on a whole report of `planbench`: in two words, the mark that stands for it, and the exit code in words. */
export function planVerdictOf(report: Told): { title: string; mark: Verdict | "none"; why: string } {
  const { exitCode, gate } = report;
  const hasGates = gate.checks.length > 0;
  switch (exitCode) {
    case 0:
      return hasGates && gate.passed === true
        ? { title: "Gate passed", mark: "pass", why: `Exit code 0: ${counted(gate.checks)} met.` }
        : { title: "Measured", mark: "none", why: `Exit code 0: ${whyMeasured(report)}.` };
    case 1:
      return { title: "Gate failed", mark: "fail", why: `Exit code 1: ${whyFailed(report)}.` };
    case 3:
      return { title: "No verdict", mark: "invalid", why: `Exit code 3: ${whyOpen(report)}.` };
    default:
      return exitCode satisfies never;
  }
}

function whyMeasured(report: Told): string {
  const open = describePlanOpen(report);
  return open === null ? "no gate was asked for" : `${open}, accepted as asked`;
}

function whyFailed({ gate }: Told): string {
  const failed = gate.checks.filter(({ passed }) => passed === false);
  return failed.length === 0 ? "failed" : `${counted(failed)} not met`;
}

function whyOpen(report: Told): string {
  const vague = report.gate.checks.filter(({ passed }) => passed === null);
  const open = report.summary.reduce((sum, { error }) => sum + error, 0);
  const reasons = [
    ...(open > 0 ? [`${open} ${open === 1 ? "sample has" : "samples have"} no outcome`] : []),
    ...(vague.length > 0 ? [`${counted(vague)} cannot be told`] : []),
  ];
  return reasons.join(" and ") || "no verdict";
}

function counted({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? "gate" : "gates"}`;
}
