import type { AgentMetrics } from "../../contract/agent-report.ts";
import { rateFigure } from "../../engine/figures/rate-figure.ts";
import { total } from "../../shared/statistics/intervals.ts";
import { percentile } from "../../shared/statistics/numbers.ts";
import { testRates } from "../../shared/statistics/paired-test.ts";
import { passAtK, passHatK } from "../../shared/statistics/pass-at-k.ts";
import type { CaseRow, RowSums } from "./case-row.ts";

/** Figures over the cases run with a real model. 0/0 is null. */
export function agentMetrics(rows: readonly CaseRow[], seed: number): AgentMetrics {
  const ratio = (above: keyof RowSums, below: keyof RowSums) => {
    const numerators = rows.map(({ sums }) => sums[above] ?? 0);
    const denominators = rows.map(({ sums }) => sums[below] ?? 0);
    const { value, interval = null } = rateFigure({ passed: numerators, trials: denominators });
    return { value, numerator: total(numerators), denominator: total(denominators), interval };
  };
  const { interval: _, ...retries } = ratio("retry_tokens", "tokens");
  const latencies = Float64Array.from(rows.flatMap((row) => row.latencies)).sort();
  return {
    first_pass_json: ratio("first_pass", "turns"),
    extracted_rate: ratio("extracted", "turns"),
    final_json: ratio("final_valid", "turns"),
    retry_cost: { ...retries, unknown_calls: total(rows.map(({ sums }) => sums.unknown_usage)) },
    trigger_precision: ratio("selected_expected", "selected"),
    trigger_recall: ratio("hits", "required"),
    pass_at_k: overK(rows, passAtK),
    pass_hat_k: overK(rows, passHatK),
    cost: {
      input_tokens: total(rows.map(({ sums }) => sums.input_tokens)),
      output_tokens: total(rows.map(({ sums }) => sums.output_tokens)),
      cost_usd: rows.some(({ sums }) => sums.cost_usd === null)
        ? null
        : // In another order the same prices add up to another last digit.
          Math.round(total(rows.map(({ sums }) => sums.cost_usd ?? 0)) * 1e9) / 1e9,
      latency_p50_ms: percentile(latencies, 0.5),
      latency_p95_ms: percentile(latencies, 0.95),
    },
    without_verdict: total(rows.map(({ counts, baseline }) => counts.invalid + baseline.invalid)),
    baseline: compareBaseline(rows, seed),
  };
}

/** A sum over a sum, of the trials with a verdict; null where there is nothing to divide by. */
export function shareOver(
  rows: readonly CaseRow[],
  above: keyof RowSums,
  below: keyof RowSums,
): number | null {
  const denominator = total(rows.map(({ sums }) => sums[below] ?? 0));
  return denominator === 0 ? null : total(rows.map(({ sums }) => sums[above] ?? 0)) / denominator;
}

/** The mean over the cases with at least so many verdicts, for every k that one of them has. */
function overK(
  rows: readonly CaseRow[],
  chance: (trials: number, passed: number, k: number) => number,
): Record<string, number | null> {
  const tried = rows.map(({ counts }) => ({ trials: counts.pass + counts.fail, passed: counts.pass }));
  const most = Math.max(0, ...tried.map(({ trials }) => trials));
  const curve: Record<string, number | null> = {};
  for (let k = 1; k <= most; k++) {
    const enough = tried.filter(({ trials }) => trials >= k);
    curve[k] = total(enough.map(({ trials, passed }) => chance(trials, passed, k))) / enough.length;
  }
  return curve;
}

/** With and without skills, paired by case: only cases with a verdict on both sides say anything. */
function compareBaseline(rows: readonly CaseRow[], seed: number): AgentMetrics["baseline"] {
  const pairs = rows.flatMap(({ counts, baseline }) => {
    const judged = counts.pass + counts.fail;
    const without = baseline.pass + baseline.fail;
    return judged === 0 || without === 0
      ? []
      : [{ a: { hits: baseline.pass, trials: without }, b: { hits: counts.pass, trials: judged } }];
  });
  const hasBaseline = rows.some(({ baseline }) => baseline.pass + baseline.fail + baseline.invalid > 0);
  if (!hasBaseline) return null;
  const mean = (side: "a" | "b") =>
    pairs.length === 0
      ? null
      : total(pairs.map((pair) => pair[side].hits / pair[side].trials)) / pairs.length;
  const difference = pairs.length === 0 ? null : testRates(pairs, seed);
  return {
    with_skills: mean("b"),
    no_skills: mean("a"),
    difference: difference?.mean ?? null,
    interval: difference?.interval ?? null,
    cases: pairs.length,
  };
}
