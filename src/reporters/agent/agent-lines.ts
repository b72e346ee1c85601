import pc from "picocolors";
import { countOf } from "../../base/count-of.ts";
import { shownText, visibleText } from "../../base/visible-text.ts";
import type { AgentReport, AgentResult, AgentResultReader } from "../../contract/agent-report.ts";
import { alignedLines } from "../aligned-lines.ts";
import { textWidth } from "../text-width.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";
import { type AgentOverview, agentOverview } from "./agent-overview.ts";
import { failedCellLines, invalidCellLines, wrapped } from "./cell-lines.ts";
import { type CellCounts, cellKinds, countWords, isFailed, notPassedWords } from "./cell-words.ts";
import { conversationFacts } from "./conversation-facts.ts";
import { describeAgentGate, describeTolerated } from "./gate-words.ts";
import { metricFacts, withBounds } from "./metric-facts.ts";
import { transcriptLines } from "./transcript-lines.ts";

/** More in full would push the result itself off the screen; all of them are in the report. */
const failedAtMost = 20;
const invalidAtMost = 10;
const suitesAtMost = 40;

/** The result of `agent eval` as text for stdout: a line per suite, what failed and where to look, what has no verdict, the figures, the files. */
export function agentLines(
  report: AgentReport,
  results: AgentResultReader,
  { color, width }: { color: boolean; width: number | null },
): string {
  const terms: TextTerms = { paint: pc.createColors(color), width };
  const overview = agentOverview(results);
  const told = toldCells(report, results, overview, terms);
  const blocks = [
    suiteLines(overview, terms),
    ...told.failed,
    ...told.invalid,
    metricLines(report, terms),
    closingLines(report, overview, terms),
    report.files.map((file) => visibleText(file)),
    nextLines(report, told.firstFailed, terms),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function suiteLines({ suites }: AgentOverview, { paint }: TextTerms): string[] {
  const all = [...suites];
  const isLong = all.length > suitesAtMost;
  // Of very many those that need a look, then as many others as fit.
  const ordered = isLong ? all.toSorted(([, a], [, b]) => Number(isClean(a)) - Number(isClean(b))) : all;
  const shown = ordered.slice(0, suitesAtMost);
  const lines = alignedLines(
    shown.map(([suite, { pass }]) => [shownText(suite, 80), `${pass} passed`]),
    { align: [undefined, "right"], paint: (text, at) => (at === 0 ? paint.bold(text) : paint.green(text)) },
  );
  return [
    ...lines.map((line, at) => `${line}${othersOf(shown[at]?.[1], paint)}`),
    ...(isLong ? [paint.dim(`… and ${countOf(all.length - shown.length, "more suite")}`)] : []),
  ];
}

function isClean({ fail, invalid }: CellCounts): boolean {
  return fail + invalid === 0;
}

function othersOf(counts: CellCounts | undefined, paint: TextTerms["paint"]): string {
  const words = notPassedWords(counts ?? { fail: 0, invalid: 0 });
  return words.map((word) => `, ${(word.endsWith("failed") ? paint.red : paint.yellow)(word)}`).join("");
}

interface ToldCells {
  failed: string[][];
  invalid: string[][];
  /** The id of the first case that failed. */
  firstFailed: string | null;
}

/** The first cells that did not pass; results are read until there are enough of them. */
function toldCells(
  report: AgentReport,
  results: AgentResultReader,
  overview: AgentOverview,
  terms: TextTerms,
): ToldCells {
  const told: ToldCells = { failed: [], invalid: [], firstFailed: null };
  const wanted = { failed: overview.failed, invalid: overview.invalid };
  if (wanted.failed + wanted.invalid === 0) return told;
  const kinds = cellKinds(report);
  const most = {
    failed: Math.min(wanted.failed, failedAtMost),
    invalid: Math.min(wanted.invalid, invalidAtMost),
  };
  for (const result of results()) {
    if (isFailed(result) && told.failed.length < most.failed) {
      told.failed.push([...failedCellLines(result, kinds, terms), ...saidIn(result, terms)]);
      told.firstFailed ??= result.case_id;
    } else if (result.status === "invalid" && told.invalid.length < most.invalid)
      told.invalid.push([...invalidCellLines(result, kinds, terms), ...saidIn(result, terms)]);
    if (told.failed.length === most.failed && told.invalid.length === most.invalid) break;
  }
  const more = (count: number, words: string) =>
    count > 0 ? [[terms.paint.dim(`… and ${countOf(count, "more cell")} ${words}`)]] : [];
  return {
    ...told,
    failed: [...told.failed, ...more(wanted.failed - told.failed.length, "that failed")],
    invalid: [...told.invalid, ...more(wanted.invalid - told.invalid.length, "without a verdict")],
  };
}

/** What was said in a conversation: there is no run directory to look it up in. */
function saidIn({ conversation }: AgentResult, terms: TextTerms): string[] {
  return conversation === undefined ? [] : transcriptLines(conversation, "  ", terms);
}

function metricLines({ metrics, conversations }: AgentReport, { paint, width }: TextTerms): string[] {
  const facts = [
    ...(conversations === undefined ? [] : conversationFacts(conversations)),
    ...(metrics === null ? [] : metricFacts(metrics)),
  ];
  if (facts.length === 0) return [];
  const whole = facts.map(({ name, value, of }) => [name, value, of]);
  // What figures are made of stands in the report as well, and is spared before a line has to wrap.
  const isWide = width !== null && alignedLines(whole).some((line) => textWidth(line) > width);
  return alignedLines(isWide ? facts.map(({ name, value }) => [name, value]) : whole, {
    paint: (text, at) => (at === 1 || text.trim() === "" ? text : paint.dim(text)),
  });
}

function closingLines(report: AgentReport, { invalid }: AgentOverview, terms: TextTerms): string[] {
  const { paint } = terms;
  const { totals, pass_rate, gates, skipped, warnings } = report;
  const lines: string[] = [];
  const tell = (words: string | null, color: (text: string) => string) => {
    if (words !== null) lines.push(...wrapped(words, "", terms).map(color));
  };
  for (const gate of gates)
    tell(
      describeAgentGate(gate),
      gate.passed === null ? paint.yellow : gate.passed ? paint.green : paint.red,
    );
  tell(describeTolerated(report), paint.dim);
  if (skipped.length > 0) tell(`${countOf(skipped.length, "case")} skipped by level`, paint.dim);
  if (warnings.length > 0) tell(countOf(warnings.length, "warning"), paint.yellow);
  const rate = pass_rate.value === null ? "" : ` (pass rate ${withBounds(pass_rate)})`;
  const isGood = totals.fail + invalid === 0;
  tell(`agent runs: ${countWords({ ...totals, invalid })}${rate}`, (text) =>
    paint.bold((isGood ? paint.green : paint.red)(text)),
  );
  return lines;
}

/** What to do now, where that is not plain. */
function nextLines(
  { totals, skipped, metrics, exitCode }: AgentReport,
  firstFailed: string | null,
  terms: TextTerms,
): string[] {
  const steps = [
    ...(firstFailed === null
      ? []
      : [`next: --case ${shownText(firstFailed)} runs the first failed case alone`]),
    ...(exitCode === 3 && totals.fail === 0
      ? ["next: mend what kept cells from a verdict, or accept them with --allow-invalid"]
      : []),
    ...(skipped.length > 0 && metrics === null
      ? [`next: --model <id> runs the ${countOf(skipped.length, "skipped case")}`]
      : []),
  ];
  return steps.slice(0, 1).flatMap((step) => wrapped(step, "", terms).map((line) => terms.paint.dim(line)));
}
