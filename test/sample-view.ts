import * as z from "zod";
import type { RenderOptions, ReportView } from "../src/contract/format.ts";
import type { Level } from "../src/contract/level.ts";
import { viewReport } from "../src/report/view/view-report.ts";
import { cellReader } from "./sample-document.ts";
import { type ReportParts, reportFile } from "./sample-report-file.ts";

/** A level of the name that sample skills have, with the plainest view, so that a test of a format depends on no level. */
export const plainUnit: Level = {
  name: "unit",
  nouns: { case: ["task", "tasks"], subject: "skill" },
  details: z.object({}),
  metrics: [
    { name: "completionRate", label: "completion", unit: "share", better: "up", isMain: true },
    { name: "errorRate", label: "error rate", unit: "share", better: "down", isMain: true },
  ],
};

export interface ViewOptions extends Partial<RenderOptions> {
  levels?: readonly Level[];
}

/** A view of a report made of these parts. */
export function sampleView(
  parts: readonly ReportParts[],
  { levels = [plainUnit], ...options }: ViewOptions = {},
): ReportView {
  const { cells, ...report } = reportFile(...parts);
  return viewReport(report, cellReader(cells), levels, options);
}

/** A gate on the completion of a sample skill. */
export function sampleGate(skillId: string, passed: boolean | null, enforced = true): ReportParts {
  return {
    gates: [
      {
        subject: { suite: "coding-easy", skillId, model: null, arm: null },
        ...{ level: "unit", metric: "completionRate", on: "point", op: ">=", threshold: 0.9 },
        ...{ value: passed === null ? null : passed ? 0.95 : 0.5, passed, enforced },
      },
    ],
  };
}
