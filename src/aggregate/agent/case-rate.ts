import type { AgentReport } from "../../contract/agent-report.ts";
import { bootstrap, ratioOf } from "../../statistics/bootstrap.ts";
import type { Bounds } from "../../statistics/bounds.ts";
import { wilson } from "../../statistics/wilson.ts";
import type { CaseRow } from "./case-row.ts";

/** How many of the cells with a verdict passed. Trials of one case are alike: with several, whole cases are drawn. */
export function caseRate(rows: readonly CaseRow[], seed: number): AgentReport["pass_rate"] {
  const passed = rows.map(({ counts }) => counts.pass);
  const judged = rows.map(({ counts }) => counts.pass + counts.fail);
  const sum = total(judged);
  const value = sum === 0 ? null : total(passed) / sum;
  const isSingle = judged.every((count) => count <= 1);
  if (isSingle) return { value, interval: wilson(total(passed), sum), method: "wilson" };
  // Cases that are all alike stay so however they are drawn; how few they are must still show.
  const cases = judged.filter((count) => count > 0).length;
  if (value === 0 || value === 1) return { value, interval: wilson(value * cases, cases), method: "wilson" };
  return { value, interval: ratioInterval(passed, judged, seed), method: "bootstrap" };
}

/** The interval of a sum over a sum, by drawing whole cases; null where there are fewer than two that count. */
export function ratioInterval(
  numerators: readonly number[],
  denominators: readonly number[],
  seed: number,
): Bounds | null {
  const counted = [...denominators.keys()].filter((n) => (denominators[n] ?? 0) > 0);
  const sums = Float64Array.from(counted, (n) => numerators[n] ?? 0);
  const weights = Float64Array.from(counted, (n) => denominators[n] ?? 0);
  return bootstrap(counted.length, ratioOf(sums, weights), seed);
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
