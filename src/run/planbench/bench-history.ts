import { type SkillSummary, skillSummary } from "../../aggregate/summarize-skill.ts";
import { groupedBy } from "../../base/grouped-by.ts";
import { benchSuite } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { StoredReport } from "../../contract/store.ts";
import { storedReport } from "../reports-to-keep.ts";
import { type BenchJob, subjectOf } from "./bench-cells.ts";
import type { BenchPlan } from "./bench-request.ts";
import type { ReadyBench } from "./prepare-bench.ts";
import { asksForAll } from "./select-bench-cases.ts";

/** What `history` will know of a run of a bench: a row for routed cases, and one for forced ones. */
export interface BenchHistory {
  add(cell: CellResult): void;
  reports(timestamp: string): StoredReport[];
}

export function benchHistory(ready: ReadyBench, plan: BenchPlan): BenchHistory {
  // Cases that bring their plans along test the harness: they are nobody's record.
  const tested = ready.jobs.filter(({ target }) => target !== null);
  const summaries = new Map(
    [...groupedBy(tested, subjectOf)].map(([id, jobs]) => [id, summaryOf(id, jobs, ready, plan)]),
  );
  return {
    add: (cell) => summaries.get(cell.skillId)?.add(cell),
    // A run over some of the cases says nothing about all of them.
    reports: (timestamp) =>
      asksForAll(plan)
        ? [...summaries.values()].map((summary) => storedReport(summary.report(timestamp)))
        : [],
  };
}

function summaryOf(
  id: string,
  jobs: readonly [BenchJob, ...BenchJob[]],
  { bench, samples }: ReadyBench,
  { seed }: BenchPlan,
): SkillSummary {
  return skillSummary({
    skill: { id, version: "", digest: jobs[0].cell.skill.digest },
    benchmark: {
      id: benchSuite(bench.file.id),
      version: "",
      scoringMethod: "mean",
      k: 1,
      maxLatencyMs: bench.file.timeout_ms,
    },
    runs: samples,
    seed,
    taskIds: [...new Set(jobs.map((job) => job.case.id))],
  });
}
