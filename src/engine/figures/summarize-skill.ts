import type { Benchmark } from "../../contract/benchmark.ts";
import type { PlannedCase } from "../../contract/cell.ts";
import type { SubjectFigures } from "../../contract/figures.ts";
import type { CellResult } from "../../contract/result.ts";
import { cellTable, countVerdicts, taskTallies } from "./cell-table.ts";
import { type CpuBurns, cpuBurns, latencyFigures } from "./latency-figures.ts";
import { summaryFigures } from "./summary-figures.ts";
import { figuresByTag, tagTable } from "./tag-figures.ts";
import { type Pricing, usageTable } from "./token-cost.ts";

export interface SummaryPlan {
  pricing?: Pricing | undefined;
  scoring: Pick<Benchmark, "scoringMethod" | "k" | "maxLatencyMs">;
  runs: number;
  cases: readonly Pick<PlannedCase, "id" | "tags" | "weight">[];
  /** Shared by skills that run at the same time, so that a burner of one is seen by the others. */
  burns?: CpuBurns;
}

export interface SkillSummary {
  /** Takes the result of one cell; each cell is added once. */
  add(result: CellResult): void;
  /** The figures over what was added so far. */
  figures(): SubjectFigures;
}

/** Folds the results of one subject into its figures. Results may come in any order; the figures are the same to the last bit. */
export function skillSummary(plan: SummaryPlan): SkillSummary {
  const { pricing, scoring, runs, cases, burns = cpuBurns() } = plan;
  const cells = cellTable(cases, runs);
  const usages = usageTable(cases.length * runs);
  const tags = tagTable(cases.length);
  return {
    add(result) {
      const { task, cell } = cells.add(result);
      tags.set(task, cases[task]?.tags ?? []);
      if (cells.isBurn[cell] === 1) burns.add(result.beganAtMs, result.latencyMs ?? 0);
      if (result.usage !== null && result.status !== "invalid") usages.add(cell, result.usage);
    },
    figures() {
      const counts = countVerdicts(cells);
      const tallies = taskTallies(cells);
      const latency = latencyFigures(cells, counts, burns, scoring.maxLatencyMs);
      const { latP95Norm } = latency;
      return {
        counts,
        summary: summaryFigures({ cells, tallies, counts, latP95Norm, scoring }),
        latency,
        tokenCost: usages.cost(pricing),
        byTag: figuresByTag(tags, { cells, tallies, scoring }),
      };
    },
  };
}
