import { cpuBurns } from "../aggregate/cpu-burns.ts";
import { judgeFold } from "../aggregate/judge-figures.ts";
import { type SkillSummary, skillSummary } from "../aggregate/summarize-skill.ts";
import type { CanaryFigures, JudgeFigures, SkillReport } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import type { ReadyRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";

export interface ResultFold {
  add(result: CellResult): void;
  reports(timestamp: string): SkillReport[];
  /** What judging took, apart from the skills. */
  judges(canaries: ReadonlyMap<string, CanaryFigures>): JudgeFigures[];
}

/** Folds results into one report per skill, whether they come from the store or from the run itself. */
export function foldResults({ skills, benchmark, tasks }: ReadyRun, { runs, seed }: PlanOptions): ResultFold {
  const taskIds = tasks.map(({ task }) => task.id);
  const burns = cpuBurns();
  const summaries = new Map<string, SkillSummary>(
    skills.map(({ skill }) => {
      const { id, version, digest, metadata } = skill;
      const plan = {
        skill: { id, version, digest, pricing: metadata.pricing },
        benchmark,
        runs,
        seed,
        taskIds,
        burns,
      };
      return [id, skillSummary(plan)];
    }),
  );
  const judging = judgeFold();
  const add = (result: CellResult) => {
    summaries.get(result.skillId)?.add(result);
    judging.add(result);
  };

  return {
    add,
    reports: (timestamp) => [...summaries.values()].map((summary) => summary.report(timestamp)),
    judges: judging.figures,
  };
}
