import pc from "picocolors";
import { countOf } from "../base/count-of.ts";
import { shownText, visibleText } from "../base/visible-text.ts";
import type { CellReader, Report, SkillReport } from "../contract/report.ts";
import { alignedLines } from "./aligned-lines.ts";
import { describeGate } from "./describe-gate.ts";
import { describeInvalid } from "./describe-invalid.ts";
import { describeOutcome } from "./describe-outcome.ts";
import { describeTriggering } from "./describe-triggering.ts";
import { compositeScore, milliseconds, percent, percentBounds, usd } from "./format-numbers.ts";
import { countNotPassed } from "./not-passed.ts";
import { shortenMiddle } from "./shorten-middle.ts";
import { countIn, describeTrials, restOf, tasksNotPassed } from "./tasks-not-passed.ts";
import { triggeringBlocks } from "./triggering-lines.ts";

const listedAtMost = 5;
const skillsAtMost = 10; // more would push the line per skill, the result itself, off the screen
const nameLimit = 60;
const reasonLimit = 120;

/** The result as text for stdout: a line per skill, the best first, what did not pass, the gate, the files. */
export function resultLines(report: Report, color: boolean, cellsOf: CellReader): string {
  const paint = pc.createColors(color);
  const skills = report.reports;
  const blocks = [
    alignedLines(skills.map(skillColumns), { paint: (text, at) => (at === 0 ? paint.bold(text) : text) }),
    ...notPassedBlocks(report, cellsOf, paint),
    ...triggeringBlocks(report, paint),
    judgeLines(report, paint),
    closingLines(report, paint),
    report.files.map((file) => visibleText(file)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

type Paint = ReturnType<typeof pc.createColors>;

function skillColumns({ skillId, summary, latency }: SkillReport): string[] {
  const bounds = percentBounds(summary.intervals.completionRate);
  return [
    visibleText(skillId),
    `CR ${percent(summary.completionRate)}${bounds === "" ? "" : ` [${bounds}]`}`,
    `ER ${percent(summary.errorRate)}`,
    `P95 ${milliseconds(latency.p95Ms)}`,
    `Score ${compositeScore(summary.compositeScore)}`,
  ];
}

function notPassedBlocks({ reports, run }: Report, cellsOf: CellReader, paint: Paint): string[][] {
  const skills = reports.filter((skill) => countNotPassed(skill) > 0);
  const rest = skills.length - skillsAtMost;
  const more = `… and ${countOf(rest, "more skill")} with results that did not pass`;
  return [
    ...skills.slice(0, skillsAtMost).map((skill) => notPassedLines(skill, run.runs, cellsOf, paint)),
    rest > 0 ? [paint.dim(more)] : [],
  ];
}

function notPassedLines(skill: SkillReport, runs: number, cellsOf: CellReader, paint: Paint): string[] {
  const count = countNotPassed(skill);
  const rows: string[][] = [];
  let unsaid = count;
  for (const task of tasksNotPassed(skill, runs, cellsOf, listedAtMost)) {
    const name = shownText(task.cell.taskId, nameLimit);
    const why = shortenMiddle(visibleText(describeOutcome(task.cell)), reasonLimit);
    rows.push([`  ${name}`, describeTrials(task, runs), why]);
    unsaid -= countIn(task);
  }
  const lines = alignedLines(rows, { paint: (text, at) => (at === 1 ? paint.red(text) : text) });
  const rest = unsaid > 0 ? [paint.dim(`  … and ${restOf(unsaid, runs)}`)] : [];
  const results = runs > 1 ? countOf(count, "result") : count;
  return [paint.bold(`${visibleText(skill.skillId)}: ${results} did not pass`), ...lines, ...rest];
}

/** What judging took, apart from the skills; what speaks against a judge is among the warnings. */
function judgeLines({ judges = [] }: Report, paint: Paint): string[] {
  return judges.map(({ model, cells, failed, calls, costUsd }) => {
    const verdicts =
      failed === 0 ? countOf(cells, "cell") : `${countOf(cells, "cell")}, ${failed} without a verdict`;
    const cost = costUsd === null ? "" : `, ${usd(costUsd)}`;
    return paint.dim(`judged by ${visibleText(model)}: ${verdicts}, ${countOf(calls, "call")}${cost}`);
  });
}

function closingLines(report: Report, paint: Paint): string[] {
  const { gate, warnings } = report;
  const lines: string[] = [];
  const invalid = describeInvalid(report);
  if (invalid !== null) lines.push(report.exitCode === 3 ? paint.red(invalid) : paint.yellow(invalid));
  if (gate.enforced) {
    const verdict = visibleText(describeGate(report));
    lines.push(gate.passed ? paint.green(verdict) : paint.red(verdict));
  }
  const triggering = describeTriggering(report);
  if (triggering !== null) lines.push(paint.red(visibleText(triggering)));
  if (warnings.length > 0) lines.push(paint.yellow(countOf(warnings.length, "warning")));
  return lines;
}
