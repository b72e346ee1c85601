import { shownText, visibleText } from "../base/visible-text.ts";
import type { TriggerResult } from "../contract/trigger-report.ts";
import { judgeLabel } from "./describe-judge.ts";
import { queryCount } from "./describe-trigger-counts.ts";
import { type Column, textTable } from "./text-table.ts";
import { figure } from "./trigger-metric-rows.ts";
import type { TextTerms } from "./trigger-skill-lines.ts";

const columns: readonly Column[] = [
  { head: "skill", least: 16 },
  { head: "passed", align: "right" },
  { head: "failed", align: "right" },
  { head: "inconclusive", align: "right" },
  { head: "precision", align: "right", isExpendable: true },
  { head: "recall", align: "right" },
  { head: "MCC", align: "right" },
  { head: "judge", least: 10, isExpendable: true },
];

/** One line per skill, for where there are too many to tell of each. */
export function triggerSkillTable(results: readonly TriggerResult[], { paint, width }: TextTerms): string[] {
  const rows = results.map((result) => {
    const { skillId, passed, failed, inconclusive, metrics, judge } = result;
    return [
      shownText(skillId, 60),
      `${passed}/${queryCount(result)}`,
      failed === 0 ? "–" : String(failed),
      inconclusive === 0 ? "–" : String(inconclusive),
      figure(metrics?.query.precision ?? null),
      figure(metrics?.query.recall ?? null),
      figure(metrics?.query.mcc ?? null),
      visibleText(judgeLabel(judge)),
    ];
  });
  return textTable(columns, rows, {
    width,
    paint: (text, column, row) => {
      if (row === -1 || text.trim() === "–" || text.trim() === "undefined") return paint.dim(text);
      if (column === "skill") return paint.bold(text);
      if (column === "failed") return paint.red(text);
      if (column === "inconclusive") return paint.yellow(text);
      return column === "judge" ? paint.dim(text) : text;
    },
  });
}
