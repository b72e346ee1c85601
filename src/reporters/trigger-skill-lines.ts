import type pc from "picocolors";
import { shownText, visibleText } from "../base/visible-text.ts";
import type { QueryReader, TriggerResult } from "../contract/trigger-report.ts";
import { alignedLines } from "./aligned-lines.ts";
import { describeJudge } from "./describe-judge.ts";
import { standingOf } from "./describe-query.ts";
import { notPassedWords, queryCount } from "./describe-trigger-counts.ts";
import { describeSkillGate } from "./describe-trigger-gate.ts";
import { textWidth } from "./text-width.ts";
import { triggerFacts } from "./trigger-facts.ts";
import { metricHeads, triggerMetricRows } from "./trigger-metric-rows.ts";
import { triggerQueryLines } from "./trigger-query-lines.ts";
import { wrappedWords } from "./wrapped-words.ts";

/** How text is laid out: colours that may be none, and columns of the terminal, null where nothing has to fit. */
export interface TextTerms {
  paint: ReturnType<typeof pc.createColors>;
  width: number | null;
}

/** A flood of queries would bury the figures; all of them are in the report. */
const queriesAtMost = 100;
const indent = "  ";

/** All there is to say about one skill on a terminal. */
export function triggerSkillLines(result: TriggerResult, queriesOf: QueryReader, terms: TextTerms): string[] {
  const failed: string[][] = [];
  const open: string[][] = [];
  let flips = 0;
  for (const query of queriesOf(result.skillId)) {
    const standing = standingOf(query);
    if (query.flips) flips++;
    const lines = standing === "failed" ? failed : open;
    if (standing !== "passed" && lines.length < queriesAtMost) lines.push(triggerQueryLines(query, terms));
  }
  const told = [...failed, ...open].slice(0, queriesAtMost);
  const rest = result.failed + result.inconclusive - told.length;
  const more = rest > 0 ? [terms.paint.dim(`${indent}… and ${rest} more`)] : [];
  const parts = [[...told.flat(), ...more], metricLines(result, terms), factLines(result, flips, terms)];
  return [
    ...headLines(result, terms),
    ...parts.filter((lines) => lines.length > 0).flatMap((lines) => ["", ...lines]),
  ];
}

/** On one line where it fits, else the judge below. */
function headLines(result: TriggerResult, { paint, width }: TextTerms): string[] {
  const name = shownText(result.skillId, 100);
  const passed = `${result.passed}/${queryCount(result)} passed`;
  const others = notPassedWords(result);
  const judge = `judge: ${visibleText(describeJudge(result.judge, result))}`;
  const plain = `${name}  ${[passed, ...others].join(", ")}`;
  const paintOthers = others.map((words) => (words.endsWith("failed") ? paint.red : paint.yellow)(words));
  const head = `${paint.bold(name)}  ${[paint.green(passed), ...paintOthers].join(", ")}`;
  if (width === null || textWidth(plain) + 3 + textWidth(judge) <= width)
    return [`${head}   ${paint.dim(judge)}`];
  return [head, ...indented(judge, width).map((line) => paint.dim(line))];
}

function metricLines({ metrics }: TriggerResult, { paint }: TextTerms): string[] {
  if (metrics === null) return [];
  const rows = triggerMetricRows(metrics);
  const lines = alignedLines([["", ...metricHeads], ...rows.map(({ name, values }) => [name, ...values])], {
    align: [undefined, "right", "right", "right", "right", "right"],
    paint: (text, column, row) => {
      if (row === 1) return column === 0 ? text : paint.bold(text);
      // A gap at the end of a line is cut off where nothing is painted.
      return text.trim() === "" ? text : paint.dim(text);
    },
  });
  return lines.map((line) => `${indent}${line}`);
}

function factLines(result: TriggerResult, flips: number, { paint, width }: TextTerms): string[] {
  const gate = describeSkillGate(result.gate);
  const facts: Fact[] = triggerFacts(result, flips).map(([name, value]) => ({
    name,
    value,
    color: paint.dim,
  }));
  if (result.notes.length > 0)
    facts.push({ name: "note", value: result.notes.join(", "), color: paint.yellow });
  if (gate !== null) facts.push({ name: "gate", value: gate, color: gateColor(result, paint) });
  const nameWidth = Math.max(...facts.map(({ name }) => name.length));
  return facts.flatMap(({ name, value, color }) => {
    const text = visibleText(value);
    const room = width === null ? null : Math.max(20, width - indent.length - nameWidth - 2);
    const lines = room === null ? [text] : wrappedWords(text, room);
    return lines.map(
      (line, at) => `${indent}${paint.dim((at === 0 ? name : "").padEnd(nameWidth))}  ${color(line)}`,
    );
  });
}

function gateColor({ gate }: TriggerResult, paint: TextTerms["paint"]): Fact["color"] {
  if (gate?.passed) return paint.green;
  return gate !== null && gate.below.length > 0 ? paint.red : paint.yellow;
}

interface Fact {
  name: string;
  value: string;
  color: (text: string) => string;
}

function indented(text: string, width: number | null): string[] {
  const lines = width === null ? [text] : wrappedWords(text, Math.max(20, width - indent.length));
  return lines.map((line) => `${indent}${line}`);
}
