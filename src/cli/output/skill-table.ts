import pc from "picocolors";
import type { ShownSkill } from "../../contract/skill-facts.ts";
import { percent } from "../../report/text/format-numbers.ts";
import { type Column, textTable } from "../../report/text/text-table.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { tokenSum } from "./doctor-words.ts";

const longestCell = 120;

const columns: readonly Column[] = [
  { head: "ID", least: 12 },
  { head: "Name", least: 8 },
  { head: "Version", least: 7 },
  { head: "Adapter" },
  { head: "Tags", least: 6 },
  { head: "Completion", align: "right" },
  { head: "Tokens", align: "right", isExpendable: true },
];

/** Skills for people, one line each. */
export function skillTable(
  skills: readonly ShownSkill[],
  { color, width }: { color: boolean; width: number | null },
): string {
  const colors = pc.createColors(color);
  const rows = skills.map(({ id, name, version, adapterType, kind, tags, completionRate, tokens }) => [
    cell(id),
    cell(name),
    cell(version ?? "–"),
    adapterType ?? kind,
    cell(tags.length === 0 ? "–" : tags.join(", ")),
    percent(completionRate),
    tokens === null ? "–" : tokenSum(tokens),
  ]);
  const paint = (text: string, column: string, row: number) => {
    if (row === -1) return colors.dim(text);
    if (column === "ID") return colors.bold(text);
    return text.trim() === "–" ? colors.dim(text) : text;
  };
  return textTable(columns, rows, { width, paint }).join("\n");
}

function cell(text: string): string {
  return shownText(text, longestCell);
}
