import pc from "picocolors";
import type { SelectedSkill, Selection } from "../../operations/select/selection.ts";
import { compositeScore, milliseconds, percent } from "../../report/text/format-numbers.ts";
import { alignedLines, type Column, textTable } from "../../report/text/text-table.ts";
import { fitWidth } from "../../report/text/text-width.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

const nameWidth = 48;
const columns: readonly Column[] = [
  { head: "Rank", align: "right" },
  { head: "Skill ID" },
  { head: "Completion", align: "right" },
  { head: "Error Rate", align: "right" },
  { head: "P95", align: "right" },
  { head: "Score", align: "right" },
];

/** A selection for people: the chosen, best first, and below them why the others were not. */
export function selectionTable({ selected, rejected }: Selection, color: boolean): string {
  const paint = pc.createColors(color);
  const [head = "", ...lines] = textTable(columns, selected.map(cells), { width: null });
  const blocks = [selected.length === 0 ? [paint.dim("nothing selected")] : [paint.bold(head), ...lines]];
  if (rejected.length > 0) {
    const reasons = rejected.map(({ skillId, reasons }) => [
      `  ${name(skillId)}`,
      visibleText(reasons.join(", ")),
    ]);
    blocks.push([paint.dim("Rejected"), ...alignedLines(reasons).map((line) => paint.dim(line))]);
  }
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function cells({ rank, skillId, metrics, stale }: SelectedSkill): string[] {
  return [
    String(rank),
    name(skillId) + (stale ? " (stale)" : ""),
    percent(metrics.completionRate),
    percent(metrics.errorRate),
    milliseconds(metrics.latencyP95Ms),
    compositeScore(metrics.compositeScore),
  ];
}

function name(skillId: string): string {
  return fitWidth(visibleText(skillId), nameWidth);
}
