import type { AgentResult, CaseSummary, CellTallies } from "../../contract/agent-report.ts";

/** A case with one model, as it was planned. */
export interface PlannedCase {
  suite: string;
  case_id: string;
  case_digest: string;
  model: string;
  level: AgentResult["level"];
  min_pass_rate: number;
}

interface Counts {
  pass: number;
  fail: number;
  invalid: number;
}

/** The results of the trials of one case with one model. */
export interface CaseRow {
  readonly planned: PlannedCase;
  readonly counts: Readonly<Counts>;
  /** The same without skills. */
  readonly baseline: Readonly<Counts>;
  /** Sums over the trials with a verdict. */
  readonly sums: Readonly<RowSums>;
  readonly latencies: readonly number[];
  add(result: Pick<AgentResult, "status" | "condition" | "tallies" | "latency_ms">): void;
  summary(): CaseSummary;
}

type NumberTallies = Omit<CellTallies, "trigger" | "cost_usd">;
export interface RowSums extends NumberTallies {
  /** Null as soon as one price is unknown. */
  cost_usd: number | null;
  selected_expected: number;
  selected: number;
  hits: number;
  required: number;
}

const summed = [
  "turns",
  "first_pass",
  "extracted",
  "final_valid",
  "retry_tokens",
  "tokens",
  "unknown_usage",
  "input_tokens",
  "output_tokens",
] as const satisfies readonly (keyof NumberTallies)[];

export function emptyRow(planned: PlannedCase): CaseRow {
  const counts: Counts = { pass: 0, fail: 0, invalid: 0 };
  const baseline: Counts = { pass: 0, fail: 0, invalid: 0 };
  const sums: RowSums = {
    ...(Object.fromEntries(summed.map((name) => [name, 0])) as Record<(typeof summed)[number], number>),
    cost_usd: 0,
    selected_expected: 0,
    selected: 0,
    hits: 0,
    required: 0,
  };
  const latencies: number[] = [];
  return {
    planned,
    counts,
    baseline,
    sums,
    latencies,
    add({ status, condition, tallies, latency_ms }) {
      if (condition === "no-skills") {
        baseline[status]++;
        return;
      }
      counts[status]++;
      if (status === "invalid") return;
      if (latency_ms !== null) latencies.push(latency_ms);
      addTallies(sums, tallies);
    },
    summary() {
      const { suite, case_id, case_digest, model, min_pass_rate } = planned;
      const verdicts = counts.pass + counts.fail;
      const pass_rate = verdicts === 0 ? null : counts.pass / verdicts;
      return {
        suite,
        case_id,
        case_digest,
        model,
        pass: pass_rate === null ? null : pass_rate > 0 && pass_rate >= min_pass_rate - rounding,
        trials: verdicts + counts.invalid,
        verdicts,
        passed: counts.pass,
        pass_rate,
      };
    },
  };
}

/** Seven of ten must be enough for a threshold of 0.7. */
const rounding = 1e-9;

function addTallies(sums: RowSums, tallies: CellTallies): void {
  for (const name of summed) sums[name] += tallies[name];
  sums.cost_usd =
    sums.cost_usd === null || tallies.cost_usd === null ? null : sums.cost_usd + tallies.cost_usd;
  if (tallies.trigger === null) return;
  sums.selected_expected += tallies.trigger.selected_expected;
  sums.selected += tallies.trigger.selected;
  sums.hits += tallies.trigger.hits;
  sums.required += tallies.trigger.required;
}
