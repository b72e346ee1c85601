import { type Subject, subjectName } from "../../contract/cell.ts";
import type { GateReport, SkippedReport } from "../../contract/document.ts";
import type { Rendered, ReportView, SubjectState, SubjectView, VerdictView } from "../../contract/format.ts";
import { isMet } from "../../contract/gate-met.ts";
import type { Level } from "../../contract/level.ts";
import { notLoadedLines } from "../../contract/not-loaded.ts";
import { isTooUnknown } from "../../contract/unknown-share.ts";
import type { Unit } from "../../contract/view.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { grouped } from "../text/format-numbers.ts";
import { distrustWords } from "./judges.ts";
import { showValue } from "./show-value.ts";

const listedNames = 5;

/** What a run came to, in words: `50 of 360 failed`, and why its exit code is what it is. */
export function describeVerdict(
  report: Pick<Rendered, "gates" | "exitCode" | "skipped" | "notLoaded" | "judges">,
  subjects: readonly SubjectView[],
  levels: readonly Level[],
): VerdictView {
  const words = countWords(subjects);
  const enforced = report.gates.filter((gate) => gate.enforced);
  const { passed, failed, unknown } = sumTallies(subjects);
  const missed = enforced.filter(({ passed }) => passed !== true);
  // A gate of zero failures needs no words: the count of failures shows it.
  const open = gateWords(
    missed.filter(
      ({ subject, op, threshold }) => failed === 0 || subject !== null || op !== "<=" || threshold !== 0,
    ),
    levels,
  );
  switch (report.exitCode) {
    case 0: {
      // A run without anything to test is not a success, whatever is allowed.
      if (passed + failed === 0)
        return { state: "unknown", words: unknown > 0 ? `${words}, allowed` : words, reasons: [] };
      const allowed = unknown > 0 ? ["what has no verdict is allowed"] : [];
      if (failed === 0) return { state: "passed", words, reasons: allowed };
      const isGated = enforced.length > 0;
      return {
        state: "passed",
        words: `${words}, ${isGated ? "every gate passed" : "no gate is enforced"}`,
        reasons: [...gateWords(enforced, levels), ...allowed],
      };
    }
    case 1: {
      const skipped = skippedWords(report.skipped, levels).map((line) => `not tested: ${line}`);
      const why =
        missed.length > 0 ? `${pluralize(missed.length, "gate")} failed` : "required tests were skipped";
      return {
        state: "failed",
        words: failed > 0 ? words : `${words}, ${why}`,
        reasons: missed.length > 0 ? open : skipped,
      };
    }
    case 2:
      return {
        state: "unknown",
        words: `${words}, ${pluralize(report.notLoaded.length, "skill")} not loaded`,
        reasons: [...notLoadedLines(report.notLoaded), ...open],
      };
    case 3: {
      // A report that does not say what it accepts is read as one that accepts nothing.
      const isTolerated =
        unknown === 0 || subjects.every(({ subject }) => subject.unknown && !isTooUnknown(subject));
      const distrusted = distrustWords(report);
      const isStated = !isTolerated || open.length > 0 || distrusted.length > 0;
      const reasons = [
        ...distrusted,
        ...(isTolerated ? [] : unknownWords(subjects)),
        ...(isStated ? [] : ["not everything that was planned has a result that can be used"]),
        ...open,
      ];
      return { state: "unknown", words: words.startsWith("no ") ? words : `no verdict: ${words}`, reasons };
    }
    default:
      return report.exitCode satisfies never;
  }
}

/** Which subjects have too much without a verdict, where a share was accepted, and what to do. */
function unknownWords(subjects: readonly SubjectView[]): string[] {
  const over = subjects.flatMap(({ name, level, subject }) => {
    const { unknown, metrics } = subject;
    if (unknown === undefined || unknown.maxShare === 0 || !isTooUnknown(subject)) return [];
    const { count, of, maxShare } = unknown;
    if (count / of > maxShare)
      return [
        `${name}: ${grouped(count)} of ${grouped(of)} without a verdict, at most ${percent(maxShare)} accepted`,
      ];
    const covered = showValue(metrics.caseCoverage?.value ?? 0, "share");
    return [
      `${name}: only ${covered} of its ${level.nouns.case[1]} have a valid trial, at least ${percent(1 - maxShare)} needed`,
    ];
  });
  return [...over, "fix what has no verdict and run again, or accept a share of it with --max-invalid"];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

/** A verdict that rests on expectations which nearly any answer meets says so first. */
export function withVacuous(verdict: VerdictView, { run }: Pick<Rendered, "run">): VerdictView {
  const { vacuousExpectations: vacuous } = run;
  if (vacuous.length === 0) return verdict;
  const names = listed(
    vacuous.map(({ caseId }) => caseId),
    listedNames,
  );
  const stamp = `${pluralize(vacuous.length, "vacuous expectation")}, met by wrong answers: ${names}`;
  return { ...verdict, reasons: [stamp, ...verdict.reasons] };
}

/** The state of a subject as one character. */
export const stateMarks: Record<SubjectState, string> = {
  failed: "✗",
  unknown: "?",
  passed: "✓",
  reference: "·",
};

/** The same for a run: `!` where something failed and no gate judges it. */
export function verdictMark({
  report,
  verdict,
  subjects,
}: Pick<ReportView, "report" | "verdict" | "subjects">): string {
  const isGated = report.gates.some(({ enforced }) => enforced);
  return verdict.state === "passed" && !isGated && sumTallies(subjects).failed > 0
    ? "!"
    : stateMarks[verdict.state];
}

/** The counts of all subjects together, without baselines. */
function sumTallies(subjects: readonly SubjectView[]): { passed: number; failed: number; unknown: number } {
  const sums = { passed: 0, failed: 0, unknown: 0 };
  for (const { state, tally } of subjects) {
    if (state === "reference") continue;
    sums.passed += tally.passed;
    sums.failed += tally.failed;
    sums.unknown += tally.unknown;
  }
  return sums;
}

/** `50 of 360 failed`, `all 360 passed`, `50 of 360 failed, 3 without a verdict`, `nothing was tested`. */
export function countWords(subjects: readonly SubjectView[]): string {
  const { passed, failed, unknown } = sumTallies(subjects);
  const total = passed + failed;
  const noun = commonNoun(subjects.filter(({ state }) => state !== "reference"));
  const counted = (count: number) =>
    noun === null ? grouped(count) : `${grouped(count)} ${count === 1 ? noun[0] : noun[1]}`;
  if (total + unknown === 0) return "nothing was tested";
  if (total === 0) return unknown === 1 ? "no verdict" : `no verdict on any of ${counted(unknown)}`;
  const open = unknown === 0 ? "" : `, ${grouped(unknown)} without a verdict`;
  if (failed > 0) return `${grouped(failed)} of ${counted(total)} failed${open}`;
  return `${total === 1 || unknown > 0 ? "" : "all "}${counted(total)} passed${open}`;
}

/** What was counted, where that is one thing and not just cells. */
function commonNoun(subjects: readonly SubjectView[]): readonly [string, string] | null {
  const [first] = subjects;
  const noun = first?.tally.noun;
  return noun !== undefined && subjects.every(({ tally }) => tally.noun?.[0] === noun[0]) ? noun : null;
}

/** Gates in words, those on the same figure together. */
export function gateWords(gates: readonly GateReport[], levels: readonly Level[]): string[] {
  const groups = groupedBy(gates, (gate) => {
    const { level, metric, on, op, threshold, subject, familyWise } = gate;
    const rule = [level, metric, on, op, threshold, familyWise?.verdicts];
    return JSON.stringify([...rule, gateSide(gate), subject === null]);
  });
  return [...groups.values()].map((group) => groupWords(group, levels));
}

/** On which side of the threshold a gate is, enforced or not. */
export function gateSide(gate: GateReport): boolean | null {
  return gate.enforced ? gate.passed : isMet(gate);
}

function groupWords(group: readonly GateReport[], levels: readonly Level[]): string {
  const [first] = group;
  if (first === undefined) return "";
  const { metric, on, op, threshold, subject, familyWise } = first;
  const passed = gateSide(first);
  const level = levels.find(({ name }) => name === first.level);
  const known = level?.metrics.find(({ name }) => name === metric);
  const unit = known?.unit ?? (Number.isInteger(threshold) ? "count" : "score");
  const label = metricLabel(metric, level);
  const corrected = familyWise === undefined ? "" : `, corrected for ${familyWise.verdicts}`;
  const figure = on === "point" ? label : `${label} (${on} bound${corrected})`;
  const limit = unit === "share" ? percent(threshold) : showValue(threshold, unit);
  const bound =
    op === "<="
      ? `the limit of ${limit}`
      : unit === "count"
        ? `the minimum of ${limit}`
        : `the ${limit} threshold`;
  if (passed === null && subject === null) return `${figure}: unknown, ${bound} cannot be checked`;
  const [inside, outside] = op === ">=" ? ["at or above", "below"] : ["within", "above"];
  // A corrected gate may fail with its bound on the right side of the line: among so many, that can be luck.
  const side = passed ? inside : familyWise === undefined ? outside : `not surely ${inside}`;
  if (subject === null) return `${figure}: ${showBeside(first.value, threshold, unit)}, ${side} ${bound}`;
  const names = group.flatMap((gate) => {
    if (gate.subject === null) return [];
    const value = gate.value === null ? "" : ` (${gateValue(gate, unit)})`;
    return [`${shownName(gate.subject, level)}${value}`];
  });
  const count = pluralize(group.length, level?.nouns.subject ?? "subject");
  const list = listed(names, listedNames);
  return passed === null
    ? `${figure}: unknown for ${count}, ${bound} cannot be checked: ${list}`
    : `${figure}: ${count} ${side} ${bound}: ${list}`;
}

/** What decided: the figure, or the chance that it is luck. */
function gateValue({ value, threshold, familyWise }: GateReport, unit: Unit): string {
  const shown = showBeside(value, threshold, unit);
  return familyWise === undefined ? shown : `${shown}, p = ${Number(familyWise.p.toPrecision(2))}`;
}

/** What a subject is called for people. */
export function shownName(
  subject: Pick<Subject, "skillId" | "model" | "arm">,
  level: Level | undefined,
): string {
  return level?.view?.subjectName?.(subject) ?? subjectName(subject);
}

/** What was not tested, a line per reason: `3 skills (no triggering block): a, b, c`. */
export function skippedWords(skipped: readonly SkippedReport[], levels: readonly Level[]): string[] {
  const groups = groupedBy(skipped, ({ level, reason, caseId, skillId }) =>
    JSON.stringify([level, reason, caseId === null, skillId === null]),
  );
  return [...groups.values()].map((group) => {
    const [first] = group;
    const level = levels.find(({ name }) => name === first?.level);
    const why = skipReason(first?.reason ?? "", level);
    const names = group.map(({ caseId, skillId, suite }) => caseId ?? skillId ?? suite ?? "");
    return `${skippedCount(group, level)} (${why}): ${listed(names, listedNames)}`;
  });
}

/** Why something was not tested, as its level says it. */
export function skipReason(reason: string, level: Level | undefined): string {
  return level?.view?.skipReasons?.[reason] ?? reason;
}

function skippedCount(group: readonly SkippedReport[], level: Level | undefined): string {
  const [first] = group;
  if (first?.caseId != null)
    return pluralize(group.length, ...(level?.nouns.case ?? (["case", "cases"] as const)));
  return pluralize(group.length, first?.skillId == null ? "suite" : (level?.nouns.subject ?? "subject"));
}

/** What a figure is called: by its level, else its name as words. */
export function metricLabel(metric: string, level: Level | undefined): string {
  const label = level?.metrics.find(({ name }) => name === metric)?.label;
  return label ?? metric.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A figure as exact as it takes to tell it from its threshold: `89.999%` where rounding would say `90.0%`. */
function showBeside(value: number | null, threshold: number, unit: Unit): string {
  const shown = showValue(value, unit);
  if (
    value === null ||
    value === threshold ||
    Number.parseFloat(shown) !== Number.parseFloat(showValue(threshold, unit))
  )
    return shown;
  return unit === "share" ? `${Number((value * 100).toPrecision(12))}%` : String(value);
}
