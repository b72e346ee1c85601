import pc from "picocolors";
import { visibleText } from "../base/visible-text.ts";
import type { SelectedSkill, Selection } from "../contract/selection.ts";
import { compositeScore, milliseconds, percent } from "./format-numbers.ts";
import { fitWidth, padWidth, textWidth } from "./text-width.ts";

const nameWidth = 48;
const heads = ["Rank", "Skill ID", "Completion", "Error Rate", "P95", "Score"] as const;

/** A selection for people: the chosen, best first, and below them why the others were not. */
export function selectionTable({ selected, rejected }: Selection, color: boolean): string {
  const paint = pc.createColors(color);
  const rows = selected.map(cells);
  const table = aligned([heads, ...rows], (at) => (at === 1 ? "left" : "right"));
  const [head = "", ...lines] = table;
  const blocks = [selected.length === 0 ? [paint.dim("nothing was selected")] : [paint.bold(head), ...lines]];
  if (rejected.length > 0) {
    const reasons = rejected.map(({ skillId, reasons }) => [
      `  ${name(skillId)}`,
      visibleText(reasons.join(", ")),
    ]);
    blocks.push([paint.dim("Rejected"), ...aligned(reasons, () => "left").map((line) => paint.dim(line))]);
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

function aligned(
  rows: readonly (readonly string[])[],
  alignment: (column: number) => "left" | "right",
): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, at) => padWidth(cell, widths[at] ?? 0, alignment(at)))
      .join("  ")
      .trimEnd(),
  );
}
