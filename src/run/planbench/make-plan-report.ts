import type { PlanFold } from "../../aggregate/planbench/plan-fold.ts";
import type { PlanReport, PlanTable } from "../../contract/planbench-report.ts";
import type { BenchOutput, BenchPlan } from "./bench-request.ts";
import type { ReadyBench } from "./prepare-bench.ts";

export interface PlanReportFacts {
  run: Pick<PlanReport["run"], "id" | "startedAt" | "finishedAt">;
  plan: Pick<BenchPlan, "seed">;
  ready: ReadyBench;
  fold: PlanFold;
  /** Models as they called themselves. */
  answeredBy: ReadonlySet<string>;
  version: string;
  warnings: string[];
  files: string[];
}

/** Puts the document together: the tables, the gates, the exit code. */
export function makePlanReport(facts: PlanReportFacts, output: BenchOutput): PlanReport {
  const { ready, fold } = facts;
  const { bench, target, samples, maxRepairs, isolation } = ready;
  const summary = fold.tables();
  const gate = fold.gates(output);
  const counted = summary.filter(({ route }) => route !== "fixed");
  const sum = (count: (table: PlanTable) => number) => counted.reduce((all, table) => all + count(table), 0);
  return {
    schemaVersion: 1,
    command: "planbench",
    tool: { name: "eval-skills", version: facts.version },
    run: {
      ...facts.run,
      bench: bench.file.id,
      model: target.id,
      answeredBy: [...facts.answeredBy].sort(),
      parameters: target.parameters,
      samples,
      maxRepairs,
      seed: facts.plan.seed,
      schema: { name: bench.schema.name, digest: bench.schema.digest },
      skills: skillsOf(ready),
      concurrency: output.concurrency,
      store: output.store,
      isolation,
    },
    passed: sum(({ ok }) => ok),
    total: sum(({ planned }) => planned),
    gate,
    summary,
    warnings: facts.warnings,
    files: facts.files,
    exitCode: exitCodeOf(summary, gate, output),
  };
}

/** Every skill that stood behind a plan, by id. */
function skillsOf({ jobs }: ReadyBench): Record<string, string> {
  const all = new Map(jobs.flatMap(({ chosen }) => Object.entries(chosen.skills)));
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * No verdict beats a failed gate: nobody should read "failed" where we simply do not know. Samples without an outcome may
 * be tolerated; a gate that was asked for and could not be decided never is.
 */
function exitCodeOf(
  summary: readonly PlanTable[],
  gate: PlanReport["gate"],
  { allowInvalid }: Pick<BenchOutput, "allowInvalid">,
): 0 | 1 | 3 {
  const hasErrors = summary.some(({ error }) => error > 0);
  if (gate.passed === null || (hasErrors && !allowInvalid)) return 3;
  return gate.passed ? 0 : 1;
}
