import type { ReportFile, SkillName } from "../src/contract/report.ts";
import type { TaskResult } from "../src/contract/task-result.ts";

/** A cell that knows its benchmark: a file of bare results may hold one skill on several. */
export interface SkillCell extends TaskResult {
  benchmarkId: string;
}

/** Every cell of a report, in its order. */
export function skillCells({ reports }: Pick<ReportFile, "reports">): SkillCell[] {
  return reports.flatMap(({ benchmarkId, taskResults }) =>
    taskResults.map((cell) => ({ ...cell, benchmarkId })),
  );
}

/** Whether both are the same skill on the same benchmark. */
export function isSameSkill(a: SkillName, b: SkillName): boolean {
  return a.skillId === b.skillId && a.benchmarkId === b.benchmarkId;
}

/** A skill on a benchmark, as one text that no other pair has. */
export function skillKey({ skillId, benchmarkId }: SkillName): string {
  return JSON.stringify([skillId, benchmarkId]);
}

/** What to call each skill among the others; the benchmark is named where the id alone would not do. */
export function skillLabels(skills: readonly SkillName[]): string[] {
  const ids = skills.map(({ skillId }) => skillId);
  const repeated = new Set(ids.filter((id, at) => ids.indexOf(id) !== at));
  return skills.map(({ skillId, benchmarkId }) =>
    repeated.has(skillId) ? `${skillId} on ${benchmarkId}` : skillId,
  );
}
