import type { AgentReport } from "../src/contract/agent-report.ts";
import type { Verdict } from "../src/contract/verdict.ts";

type Told = Pick<AgentReport, "exitCode" | "gates" | "cases">;

/** The verdict on a whole report of `agent eval`: in two words, the mark that stands for it, and the exit code in words. */
export function agentVerdictOf(
  report: Told,
  /** Cells without a verdict, those of the baseline included. */
  invalid: number,
): { title: string; mark: Verdict; why: string } {
  const { exitCode } = report;
  switch (exitCode) {
    case 0:
      return { title: "Passed", mark: "pass", why: `Exit code 0: ${whyPassed(report, invalid)}.` };
    case 1:
      return { title: "Failed", mark: "fail", why: `Exit code 1: ${whyFailed(report)}.` };
    case 3:
      return { title: "No verdict", mark: "invalid", why: `Exit code 3: ${whyOpen(report, invalid)}.` };
    default:
      return exitCode satisfies never;
  }
}

function whyPassed({ cases }: Told, invalid: number): string {
  if (invalid > 0) return `${counted(invalid, "cell")} without a verdict, accepted as asked`;
  const tolerated = cases.some(({ passed, verdicts }) => passed < verdicts);
  return tolerated ? "every case passed, some by fewer than all of their trials" : "every case passed";
}

function whyFailed({ cases, gates }: Told): string {
  const failed = cases.filter(({ pass }) => pass === false).length;
  const below = gates.filter(({ passed }) => passed === false).length;
  const reasons = [
    ...(failed > 0 ? [`${counted(failed, "case")} failed`] : []),
    ...(below > 0 ? [`${counted(below, "gate")} not met`] : []),
  ];
  return reasons.join(" and ") || "failed";
}

function whyOpen({ gates }: Told, invalid: number): string {
  const vague = gates.filter(({ passed }) => passed === null).length;
  const reasons = [
    ...(invalid > 0 ? [`${counted(invalid, "cell")} ${invalid === 1 ? "has" : "have"} none`] : []),
    ...(vague > 0 ? [`there is nothing to measure ${counted(vague, "gate")} by`] : []),
  ];
  return reasons.length === 0 ? "no verdict" : `no verdict, since ${reasons.join(" and ")}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
