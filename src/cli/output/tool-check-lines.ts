import pc from "picocolors";
import { notLoadedLines } from "../../contract/not-loaded.ts";
import {
  type CheckedTool,
  type ToolCheckDetail,
  type ToolCheckReport,
  type ToolCheckResult,
  type ToolCheckStatus,
  toolChecks,
  toolVerdict,
} from "../../operations/tools/tool-check.ts";
import { fitWidthEnd, wrappedWords } from "../../report/text/text-width.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shorten, visibleText } from "../../shared/text/visible-text.ts";
import type { TextTerms } from "./catalog-text.ts";

const marks: Readonly<Record<ToolCheckStatus, string>> = { pass: "✓", fail: "✗", skipped: "–", invalid: "?" };
const indent = "  ";
const nameWidth = Math.max(...toolChecks.map((name) => name.length));
const wordsColumn = `${indent}✓ `.length + nameWidth + 2;

export interface CheckTextTerms {
  color: boolean;
  width: number | null;
  /** Whether passed checks show details too. */
  verbose: boolean;
}

/** What was checked of every tool, a line for each check; below those that failed what was seen, and what to do next. */
export function toolCheckLines(report: ToolCheckReport, { color, width, verbose }: CheckTextTerms): string {
  const terms: TextTerms = { paint: pc.createColors(color), width };
  const blocks = report.tools.map((tool) => toolLines(tool, verbose, terms));
  return [...blocks, summaryLines(report, terms)].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function toolLines(tool: CheckedTool, verbose: boolean, terms: TextTerms): string[] {
  const { paint, width } = terms;
  const verdict = toolVerdict(tool);
  const shown = visibleText(tool.shown);
  const name = width === null ? shown : fitWidthEnd(shown, Math.max(20, width - 2));
  return [
    `${statusColor(verdict, paint)(marks[verdict])} ${paint.bold(name)}`,
    ...(tool.hints === null ? [] : indented(hintWords(tool.hints), indent, "hints: ", terms)),
    ...tool.checks.flatMap((check) => checkLines(check, verbose, terms)),
  ];
}

/** `turn_mode "background", triggers ["see"]` */
function hintWords(hints: JsonObject): string {
  const words = Object.entries(hints).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return shorten(words.join(", "), 300);
}

function checkLines(result: ToolCheckResult, verbose: boolean, terms: TextTerms): string[] {
  const { check, status, message, details, hint } = result;
  const { paint } = terms;
  const tone = statusColor(status, paint);
  const head = `${indent}${tone(marks[status])} ${status === "fail" ? tone(check) : check}`;
  const [first = "", ...rest] = wrapped(message, wordsColumn, terms);
  const quiet = status === "pass" || status === "skipped" ? paint.dim : (text: string) => text;
  const showsDetails = status === "fail" || status === "invalid" || verbose;
  const below = " ".repeat(indent.length * 2);
  return [
    `${head}${" ".repeat(nameWidth - check.length + 2)}${quiet(first)}`.trimEnd(),
    ...rest.map((line) => `${" ".repeat(wordsColumn)}${quiet(line)}`),
    ...(showsDetails ? details.flatMap((detail) => indented(detailWords(detail), below, "", terms)) : []),
    ...(hint === null ? [] : indented(hint, below, "→ ", terms).map((line) => paint.cyan(line))),
  ];
}

/** `/at: 12, then 13 in a new process (examples[0])` */
function detailWords({ input, place, reason }: ToolCheckDetail): string {
  const where = place === null ? "" : `${place === "" ? "(root)" : place} `;
  return `${where}${reason}${input === null ? "" : ` (${input})`}`;
}

function summaryLines(report: ToolCheckReport, terms: TextTerms): string[] {
  const { tools, checks } = report.counts;
  const { paint } = terms;
  const verdict = tools.failed > 0 ? "fail" : tools.noVerdict > 0 ? "invalid" : "pass";
  const words = [
    `${tools.passed} passed`,
    ...(tools.failed > 0 ? [`${tools.failed} failed`] : []),
    ...(tools.untested > 0 ? [`${tools.untested} untested`] : []),
    ...(tools.noVerdict > 0 ? [`${tools.noVerdict} without a verdict`] : []),
  ];
  const all = Object.values(checks).reduce((sum, count) => sum + count, 0);
  const skipped = checks.skipped > 0 ? `, ${checks.skipped} of them skipped` : "";
  return [
    ...notLoadedLines(report.notLoaded).flatMap((words) =>
      wrapped(`✗ ${words}`, 0, terms).map((line) => paint.red(line)),
    ),
    ...wrapped(`${pluralize(tools.total, "tool")}: ${words.join(", ")}`, 0, terms).map((line) =>
      statusColor(verdict, paint)(line),
    ),
    ...wrapped(`${pluralize(all, "check")}${skipped}`, 0, terms).map((line) => paint.dim(line)),
  ];
}

/** Lines after a prefix; further ones are aligned with the first word, not with the mark before it. */
function indented(text: string, before: string, mark: string, terms: TextTerms): string[] {
  return wrapped(text, before.length + mark.length, terms).map(
    (line, n) => `${before}${n === 0 ? mark : " ".repeat(mark.length)}${line}`,
  );
}

/** Untrusted text in lines that fit after this many columns. */
function wrapped(text: string, column: number, { width }: TextTerms): string[] {
  const shown = visibleText(text);
  return width === null ? [shown] : wrappedWords(shown, Math.max(18, width - column));
}

type Paint = TextTerms["paint"];

function statusColor(status: ToolCheckStatus, paint: Paint): (text: string) => string {
  if (status === "pass") return paint.green;
  if (status === "skipped") return paint.dim;
  return status === "fail" ? paint.red : paint.yellow;
}
