import type { SkippedReport } from "../../contract/document.ts";
import type { Rendered, ReportView, SubjectState, SubjectView, VerdictView } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import { notLoadedLines } from "../../contract/not-loaded.ts";
import { shardWords } from "../../contract/shard.ts";
import { isTooUnknown } from "../../contract/unknown-share.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { grouped } from "../text/format-numbers.ts";
import { gateWords, percent } from "./gate-words.ts";
import { distrustWords } from "./judges.ts";
import { leftOutWords } from "./quarantine-words.ts";
import { showValue } from "./show-value.ts";

const listedNames = 5;

/** What a run came to, in words: `50 of 360 failed`, and why its exit code is what it is. */
export function describeVerdict(
  report: Pick<Rendered, "gates" | "exitCode" | "skipped" | "notLoaded" | "judges" | "run">,
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
      const { shard } = report.run;
      if (shard !== null)
        return {
          state: "unknown",
          words: `${words} in shard ${shardWords(shard)}, to be judged when all are merged`,
          reasons: [],
        };
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
        reasons: missed.length > 0 ? [...failedByLevel(subjects), ...open] : skipped,
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

/** How much failed at each level, where it is more than one: `failed: unit 1 of 28, trigger 2 of 77`. */
function failedByLevel(subjects: readonly SubjectView[]): string[] {
  const judged = subjects.filter(({ state }) => state !== "reference");
  const levels = [...groupedBy(judged, ({ level }) => level.name)].flatMap(([name, own]) => {
    const { passed, failed } = sumTallies(own);
    return failed === 0 ? [] : [`${name} ${grouped(failed)} of ${grouped(passed + failed)}`];
  });
  return levels.length < 2 ? [] : [`failed: ${levels.join(", ")}`];
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
  const left = leftOutWords(subjects);
  if (total + unknown === 0) return left === "" ? "nothing was tested" : `no verdict${left}`;
  if (total === 0) return unknown === 1 ? "no verdict" : `no verdict on any of ${counted(unknown)}`;
  const open = unknown === 0 ? "" : `, ${grouped(unknown)} without a verdict`;
  if (failed > 0) return `${grouped(failed)} of ${counted(total)} failed${open}${left}`;
  return `${total === 1 || unknown > 0 || left !== "" ? "" : "all "}${counted(total)} passed${open}${left}`;
}

/** What was counted, where that is one thing and not just cells. */
function commonNoun(subjects: readonly SubjectView[]): readonly [string, string] | null {
  const [first] = subjects;
  const noun = first?.tally.noun;
  return noun !== undefined && subjects.every(({ tally }) => tally.noun?.[0] === noun[0]) ? noun : null;
}

/** What was not tested, a line per reason: `3 skills (no triggering block): a, b, c`. */
export function skippedWords(skipped: readonly SkippedReport[], levels: readonly Level[]): string[] {
  const levelOf = ({ level }: SkippedReport) => levels.find(({ name }) => name === level);
  const reasons = groupedBy(skipped, (one) => skipReason(one.reason, levelOf(one)));
  return [...reasons].map(([why, group]) => {
    const kinds = groupedBy(group, ({ level, caseId, skillId }) =>
      JSON.stringify([level, caseId === null, skillId === null]),
    );
    const counts = [...kinds.values()].map((same) => skippedCount(same, same[0] && levelOf(same[0])));
    const names = group.map(({ caseId, skillId, suite }) => caseId ?? skillId ?? suite ?? "");
    return `${counts.join(", ")} (${why}): ${listed(names, listedNames)}`;
  });
}

/** Reasons that every level may have. */
const commonReasons: ReadonlyMap<string, string> = new Map([
  ["untested", "no tests"],
  ["no-model", "needs a model: add --model, or --replay with recorded calls"],
]);

/** Why something was not tested, as its level says it. */
export function skipReason(reason: string, level: Level | undefined): string {
  return level?.view?.skipReasons?.[reason] ?? commonReasons.get(reason) ?? reason;
}

function skippedCount(group: readonly SkippedReport[], level: Level | undefined): string {
  const [first] = group;
  if (first?.caseId != null)
    return pluralize(group.length, ...(level?.nouns.case ?? (["case", "cases"] as const)));
  return pluralize(
    group.length,
    first?.skillId == null
      ? "suite"
      : (level?.nouns.subject ?? (first?.level === null ? "skill" : "subject")),
  );
}
