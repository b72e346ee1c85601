import type { ComparedShare, ComparedSkill } from "../../operations/catalog/compare/catalog-report.ts";
import { percent, percentBounds } from "../../report/text/format-numbers.ts";
import { type Column, textTable } from "../../report/text/text-table.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { type CatalogTerms, section } from "./catalog-text.ts";
import { chance } from "./catalog-words.ts";

const columns: readonly Column[] = [
  { head: "skill", least: 14 },
  { head: "verdict" },
  { head: "before", align: "right" },
  { head: "after", align: "right" },
  { head: "interval", align: "right", isExpendable: true },
  { head: "left alone", align: "right", isExpendable: true },
  { head: "queries", align: "right" },
  { head: "gained", align: "right" },
  { head: "lost", align: "right" },
  { head: "p", align: "right" },
];

/** How each skill fared: how many of its requests it got before and after. Skills without a change are only counted. */
export function catalogSkillLines(
  skills: readonly ComparedSkill[],
  terms: CatalogTerms,
  verbose: boolean,
): string[] {
  const { paint, width, atMost } = terms;
  const listed = verbose ? skills : skills.filter(isChanged);
  const shown = listed.slice(0, atMost);
  const table = textTable(columns, shown.map(row), {
    width: width === null ? null : width - 2,
    paint: (text, column, at) => {
      if (at === -1 || column === "interval" || column === "p") return paint.dim(text);
      return column === "verdict" ? tones(paint)[shown[at]?.verdict ?? "same"](text) : text;
    },
  });
  const rest = listed.length - shown.length;
  const unchanged = skills.length - listed.length;
  const notes = [
    ...(shown.some(({ isEdited }) => isEdited) ? ["* edited"] : []),
    ...(rest > 0 ? [`… and ${rest} more (--verbose lists them)`] : []),
    ...(unchanged > 0
      ? [`${pluralize(unchanged, shown.length === 0 ? "skill" : "other skill")} unchanged`]
      : []),
  ];
  const lines = shown.length === 0 ? [] : table.map((line) => `  ${line}`);
  return section("Recall", [...lines, ...notes.map((note) => paint.dim(`  ${note}`))], terms);
}

function isChanged({ isEdited, gained, lost }: ComparedSkill): boolean {
  return isEdited || gained + lost > 0;
}

function row({
  leftAlone,
  skillId,
  isEdited,
  verdict,
  recall,
  queries,
  gained,
  lost,
  mcnemarP,
}: ComparedSkill): string[] {
  return [
    `${shownText(skillId)}${isEdited ? "*" : ""}`,
    verdict,
    percent(recall.before.rate),
    percent(recall.after.rate),
    percentBounds(recall.after.interval),
    leftAloneWords(leftAlone),
    String(queries),
    String(gained),
    String(lost),
    chance(mcnemarP),
  ];
}

function leftAloneWords({ before, after }: ComparedShare): string {
  if (before.rate === after.rate) return percent(after.rate);
  return `${percent(before.rate)} → ${percent(after.rate)}`;
}

function tones(paint: CatalogTerms["paint"]): Record<ComparedSkill["verdict"], (text: string) => string> {
  return { better: paint.green, worse: paint.red, same: (text) => text, inconclusive: paint.yellow };
}
