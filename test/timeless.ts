import type { ReportFile } from "../src/contract/document.ts";

/** A report without what the clock, chance and the machine decide. */
export function timeless({ run, cells, subjects, files: _, ...rest }: ReportFile): object {
  return {
    ...rest,
    run: { ...run, id: "", startedAt: "", finishedAt: "", concurrency: 0, machine: null },
    subjects: subjects.map(({ skillId, suite, level, counts }) => ({ skillId, suite, level, counts })),
    cells: cells.map(({ key, trial, status, score, reason }) => ({ key, trial, status, score, reason })),
  };
}
