import { countOf } from "../../base/count-of.ts";
import { listed } from "../../base/listed.ts";
import { shownText, visibleText } from "../../base/visible-text.ts";
import type { PlanReport, PlanTable } from "../../contract/planbench-report.ts";
import { wrapped } from "../agent/cell-lines.ts";
import { padWidth, textWidth } from "../text-width.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";
import { bucketBar } from "./bucket-bar.ts";
import type { ReasonGroup, StratumOverview } from "./plan-overview.ts";
import { stratumWords } from "./sample-words.ts";
import { hasRepairs, meanRepairsWords, type TableFact, tableFacts } from "./table-facts.ts";

const indent = "  ";
const nameWidth = "ok in the end".length;
const valueAt = indent.length + nameWidth + indent.length;
const barColumns = 40;
const reasonsAtMost = 6;
const casesNamed = 6;
const reasonLimit = 300;

/** The figures of one stratum: its rates with their intervals, a bar of its repairs, its times. */
export function stratumLines(
  table: PlanTable,
  overview: StratumOverview,
  report: PlanReport,
  terms: TextTerms,
): string[] {
  const { paint } = terms;
  const { run } = report;
  const facts = tableFacts(table, overview.claimed);
  const valueWidth = valueWidthOf(facts, terms);
  const rates = facts.findLastIndex(({ name }) => name.startsWith("ok")) + 1;
  const lines = facts.map((fact) => factLines(fact, valueWidth, terms));
  const cases = run.samples === 0 ? 0 : Math.round(table.planned / run.samples);
  const size = `${countOf(cases, "case")}${run.samples > 1 ? ` × ${run.samples} samples` : ""}`;
  const about = table.route === "fixed" ? `${size}, ${stratumWords("fixed", report)}` : size;
  const [first = "", ...more] = wrapped(about, " ".repeat(table.route.length + 2), terms);
  return [
    `${paint.bold(table.route)}${paint.dim(first.slice(table.route.length))}`,
    ...more.map((line) => paint.dim(line)),
    ...lines.slice(0, rates).flat(),
    ...repairLines(table, terms),
    ...lines.slice(rates).flat(),
  ];
}

/** Values stand in a column of their own where all of a line fits behind it; 0 where that is not so. */
function valueWidthOf(facts: readonly TableFact[], { width }: TextTerms): number {
  const told = facts.filter(({ of }) => of !== "");
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const values = widest(told.map(({ value }) => value));
  const all = valueAt + values + indent.length + widest(told.map(({ of }) => of));
  return width !== null && all > width ? 0 : values;
}

function factLines({ name, value, of }: TableFact, valueWidth: number, terms: TextTerms): string[] {
  const { paint, width } = terms;
  const head = `${indent}${paint.dim(padWidth(name, nameWidth))}${indent}`;
  const isWide = width !== null && valueAt + textWidth(`${value}${indent}${of}`) > width;
  if (of === "") return [`${head}${value}`];
  if (!isWide) return [`${head}${padWidth(value, valueWidth)}${indent}${paint.dim(of)}`];
  const below = " ".repeat(valueAt);
  return [`${head}${value}`, ...wrapped(of, below, terms).map((line) => paint.dim(line))];
}

function repairLines(table: PlanTable, { paint, width }: TextTerms): string[] {
  if (!hasRepairs(table)) return [];
  const room = width === null ? null : Math.max(16, width - valueAt);
  const columns = room === null ? barColumns : Math.min(barColumns, room);
  const { bar, legend } = bucketBar(table, { paint, columns, room });
  const mean = meanRepairsWords(table);
  const fits = room === null || columns + indent.length + mean.length <= room;
  const below = " ".repeat(valueAt);
  return [
    `${indent}${paint.dim(padWidth("repairs", nameWidth))}${indent}${bar}${fits && mean !== "" ? `${indent}${paint.dim(mean)}` : ""}`,
    ...legend.map((line) => `${below}${line}`),
    ...(fits || mean === "" ? [] : [`${below}${paint.dim(mean)}`]),
  ];
}

/** What failed, by reason and with the cases it is about. */
export function failureGroupLines({ failures, route }: StratumOverview, terms: TextTerms): string[] {
  return groupLines(failures, { mark: "✗", tone: terms.paint.red, of: route }, terms);
}

/** What has no outcome, likewise. */
export function errorGroupLines({ errors, route }: StratumOverview, terms: TextTerms): string[] {
  return groupLines(errors, { mark: "?", tone: terms.paint.yellow, of: route }, terms);
}

function groupLines(
  groups: readonly ReasonGroup[],
  { mark, tone, of }: { mark: string; tone: (text: string) => string; of: string },
  terms: TextTerms,
): string[] {
  const { paint } = terms;
  const rest = groups.length - reasonsAtMost;
  return [
    ...groups.slice(0, reasonsAtMost).flatMap(({ reason, samples, cases }) => {
      const [first = "", ...more] = wrapped(shownText(reason, reasonLimit), indent, terms);
      const named = listed(
        [...cases].map((id) => shownText(id)),
        casesNamed,
      );
      const words = `${countOf(samples, `${of} sample`)}: ${named}`;
      return [
        `${tone(mark)} ${paint.bold(first.slice(indent.length))}`,
        ...more.map((line) => paint.bold(line)),
        ...wrapped(words, indent, terms).map((line) => paint.dim(line)),
      ];
    }),
    ...(rest > 0 ? [paint.dim(visibleText(`… and ${countOf(rest, "more reason")}`))] : []),
  ];
}
