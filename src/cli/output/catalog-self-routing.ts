import type { CountedShare } from "../../contract/trigger-report.ts";
import type { SelfRouting } from "../../operations/catalog/compare/catalog-report.ts";
import { percent, percentBounds } from "../../report/text/format-numbers.ts";
import { type Column, textTable } from "../../report/text/text-table.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { type CatalogTerms, section } from "./catalog-text.ts";

const columns: readonly Column[] = [
  { head: "skill", least: 16 },
  { head: "queries", align: "right" },
  { head: "first", align: "right" },
  { head: "interval", align: "right" },
  { head: "selected", align: "right" },
  { head: "none", align: "right" },
];

/** How many of its own requests each skill gets, as a table. */
export function selfRoutingLines(skills: readonly SelfRouting[], terms: CatalogTerms): string[] {
  const { paint, width, atMost } = terms;
  const shown = skills.slice(0, atMost);
  const table = textTable(columns, shown.map(row), {
    width: width === null ? null : width - 2,
    paint: (text, column, at) => {
      if (at === -1 || column === "interval") return paint.dim(text);
      if (column !== "first" && column !== "selected") return text;
      const skill = shown[at];
      return (column === "first" ? (skill?.top1?.rate ?? 1) : (skill?.selected.rate ?? 1)) < 1
        ? paint.red(text)
        : paint.green(text);
    },
  });
  const rest = skills.length - shown.length;
  const more = rest > 0 ? [paint.dim(`  … and ${rest} more (--verbose lists them)`)] : [];
  const lines = skills.length === 0 ? [] : [...table.map((line) => `  ${line}`), ...more];
  return section("Own requests", lines, terms);
}

function row({ skillId, queries, top1, selected, none }: SelfRouting): string[] {
  const rate = (share: CountedShare | null) => percent(share?.rate ?? null);
  return [
    shownText(skillId),
    String(queries),
    rate(top1),
    percentBounds((top1 ?? selected).interval),
    rate(selected),
    rate(none),
  ];
}
