import pc from "picocolors";
import { countOf } from "../../base/count-of.ts";
import { shownText, visibleText } from "../../base/visible-text.ts";
import type { PlanReport, PlanResultReader } from "../../contract/planbench-report.ts";
import { wrapped } from "../agent/cell-lines.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";
import { describePlanGate, describePlanOpen, describeUnanswered } from "./plan-gate-words.ts";
import { planOverview, type StratumOverview } from "./plan-overview.ts";
import { scriptedNote } from "./sample-words.ts";
import { errorGroupLines, failureGroupLines, stratumLines } from "./stratum-lines.ts";

/** The result of `planbench` as text for stdout: a block of figures per stratum, what failed and why, the gates, the files. */
export function planLines(
  report: PlanReport,
  results: PlanResultReader,
  { color, width }: { color: boolean; width: number | null },
): string {
  const terms: TextTerms = { paint: pc.createColors(color), width };
  const overviews = planOverview(results);
  const blocks = [
    headLines(report, terms),
    ...report.summary.flatMap((table) => {
      const overview = overviews.find(({ route }) => route === table.route) ?? nothingSeen(table.route);
      return [
        stratumLines(table, overview, report, terms),
        failureGroupLines(overview, terms),
        errorGroupLines(overview, terms),
      ];
    }),
    closingLines(report, terms),
    report.files.map((file) => visibleText(file)),
    nextLines(report, overviews, { ...terms, showsPlans: holdsPlans(results) }),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function nothingSeen(route: StratumOverview["route"]): StratumOverview {
  return { route, cases: [], failures: [], errors: [], claimed: { ok: 0, wrong: 0 } };
}

function headLines(report: PlanReport, terms: TextTerms): string[] {
  const { run } = report;
  const { paint } = terms;
  const bench = shownText(run.bench);
  const others = run.answeredBy.filter((id) => id !== run.model).map((id) => shownText(id));
  const about = [
    shownText(run.model),
    ...(others.length === 0 ? [] : [`answered by ${others.join(", ")}`]),
    `schema ${shownText(run.schema.name)}`,
    `up to ${countOf(run.maxRepairs, "repair")}`,
  ].join(" · ");
  const [first = "", ...more] = wrapped(`${bench}  ${about}`, "", terms);
  const note = scriptedNote(report);
  return [
    `${paint.bold(first.slice(0, bench.length))}${paint.dim(first.slice(bench.length))}`,
    ...more.map((line) => paint.dim(line)),
    ...(note === null ? [] : wrapped(note, "", terms).map((line) => paint.yellow(line))),
  ];
}

function closingLines(report: PlanReport, terms: TextTerms): string[] {
  const { paint } = terms;
  const { gate, passed, total, run, warnings, exitCode, summary } = report;
  const lines: string[] = [];
  const tell = (words: string | null, tone: (text: string) => string) => {
    if (words !== null) lines.push(...wrapped(words, "", terms).map(tone));
  };
  const toneOf = (verdict: boolean | null) =>
    verdict === null ? paint.yellow : verdict ? paint.green : paint.red;
  for (const check of gate.checks) tell(describePlanGate(check, summary), toneOf(check.passed));
  tell(describeUnanswered(report), paint.yellow);
  if (warnings.length > 0) tell(countOf(warnings.length, "warning"), paint.yellow);
  const open = describePlanOpen(report);
  const tone = exitCode === 0 ? paint.green : exitCode === 1 ? paint.red : paint.yellow;
  tell(open, exitCode === 3 ? paint.yellow : paint.dim);
  tell(`planbench ${shownText(run.bench)}: ${passed} of ${countOf(total, "sample")} ok`, (text) =>
    paint.bold(tone(text)),
  );
  return lines;
}

function holdsPlans(results: PlanResultReader): boolean {
  for (const { plan } of results()) return plan !== undefined;
  return false;
}

/** What to do now, where that is not plain. */
function nextLines(
  { summary, exitCode }: PlanReport,
  overviews: readonly StratumOverview[],
  { showsPlans, ...terms }: TextTerms & { showsPlans: boolean },
): string[] {
  const failed = overviews.flatMap(({ cases }) => cases).find(({ fail }) => fail > 0);
  const isOpen = summary.some(({ error }) => error > 0);
  const steps = [
    ...(isOpen && exitCode === 3 ? ["next: --resume runs the samples without an outcome again"] : []),
    ...(failed === undefined || showsPlans
      ? []
      : [`next: --case ${shownText(failed.caseId)} --include-plan shows what was planned there`]),
  ];
  return steps.slice(0, 1).flatMap((step) => wrapped(step, "", terms).map((line) => terms.paint.dim(line)));
}
