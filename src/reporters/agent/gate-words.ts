import { countOf } from "../../base/count-of.ts";
import type { AgentGate, AgentReport, GateResult } from "../../contract/agent-report.ts";
import { fraction } from "../format-numbers.ts";

const gateNames: Readonly<Record<AgentGate, string>> = {
  min_pass_rate: "pass rate",
  min_trigger_precision: "trigger precision",
  min_trigger_recall: "trigger recall",
  min_final_json: "final JSON",
};

/** A gate and how it stands: `Gate failed: pass rate ≥ 0.9, is 0.8333`. */
export function describeAgentGate({ gate, on, asked, actual, passed }: GateResult): string {
  const verdict = passed === null ? "inconclusive" : passed ? "passed" : "failed";
  const what = on === "lower" ? `lower bound of ${gateNames[gate]}` : gateNames[gate];
  const is = actual === null ? "nothing to measure it by" : `is ${fraction(actual)}`;
  return `Gate ${verdict}: ${what} ≥ ${fraction(asked)}, ${is}`;
}

/** Cells without a verdict, and what follows from them; null where there are none. */
export function describeOpen({ exitCode }: Pick<AgentReport, "exitCode">, invalid: number): string | null {
  if (invalid === 0) return null;
  const words = `${countOf(invalid, "cell")} without a verdict`;
  return exitCode === 3 ? `No verdict: ${words}` : `${words}, accepted as asked`;
}

/** Cases that passed although trials of them failed, as their files allow; nobody should wonder about the exit code. */
export function describeTolerated({ cases }: Pick<AgentReport, "cases">): string | null {
  const count = cases.filter(({ pass, passed, verdicts }) => pass === true && passed < verdicts).length;
  if (count === 0) return null;
  return `${count === 1 ? "1 case passed" : `${count} cases passed`} in spite of failed trials, as min_pass_rate allows`;
}
