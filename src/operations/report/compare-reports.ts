import { resolve } from "node:path";
import type { ComparedSubject, DiffWithTasks, ReportDiff, SkillDiff } from "../../contract/diff.ts";
import type { Level } from "../../contract/level.ts";
import { levels as allLevels } from "../../levels/levels.ts";
import { differingConditions, haveSameLoad } from "../../report/compare/compare-conditions.ts";
import { pairSides } from "../../report/compare/compare-pairs.ts";
import { compareSkill } from "../../report/compare/compare-skill.ts";
import { type ComparedSide, comparedSides } from "../../report/compare/compared-side.ts";
import { diffName, subjectTitle } from "../../report/compare/diff-words.ts";
import { type OpenReport, readReport } from "../../report/convert/read-report.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";

export interface CompareRequest {
  a: string;
  b: string;
  labels: ReportDiff["labels"];
  seed: number;
  isStrict: boolean;
  /** Whether a regression is a failure. */
  failOnRegression: boolean;
  cwd: string;
}

/** Compares two report files: which subjects have become better or worse on the cases they share. */
export function compareReports(request: CompareRequest, levels: readonly Level[] = allLevels): DiffWithTasks {
  const { labels, seed, isStrict, failOnRegression, cwd } = request;
  const a = readReport(resolve(cwd, request.a), levels, request.a);
  const b = readReport(resolve(cwd, request.b), levels, request.b);
  refuseOtherLevels(a, b, request);
  const leftOut = new Set([...singleCases(a), ...singleCases(b)]);
  const sides = ({ report, cells }: OpenReport) =>
    comparedSides(report, cells, levels).filter(
      ({ level, subject }) => !leftOut.has(JSON.stringify([level.name, subject.skillId])),
    );
  const { pairs, added, removed } = pairSides(sides(a), sides(b));
  if (pairs.length === 0)
    throw new UserError("nothing-to-do", `${request.a} and ${request.b} have nothing in common`, {
      path: request.b,
      hint: `${request.a} has ${named(removed)}; ${request.b} has ${named(added)}`,
    });
  const isLatencyComparable = haveSameLoad(a.report, b.report);
  const compared = pairs.map((pair) => compareSkill(pair.a, pair.b, { seed, isStrict, isLatencyComparable }));
  const skills = compared.map(({ skill }) => skill);
  const hasRegressed = removed.length > 0 || skills.some(({ verdict }) => verdict === "regressed");
  return {
    diff: {
      labels,
      skills,
      added: added.map(({ subject }) => subject),
      removed: removed.map(({ subject }) => subject),
      warnings: [
        ...differingConditions(a.report, b.report, labels, {
          hasComposite: skills.some(({ metrics }) => metrics.compositeScore !== undefined),
        }),
        ...(leftOut.size === 0
          ? []
          : [`trigger tests of ${listed(skillsIn(leftOut), 3)} left out: one run was limited with --case`]),
        ...compared.flatMap(({ skill, unpaired }) => unpairedWarning(skill, unpaired)),
      ],
      exitCode: hasRegressed && failOnRegression ? 1 : 0,
    },
    changes: compared.map(({ changes }) => changes),
  };
}

function refuseOtherLevels(a: OpenReport, b: OpenReport, request: CompareRequest): void {
  const levelNames = ({ report }: OpenReport) => new Set(report.suites.map(({ level }) => level));
  const [left, right] = [levelNames(a), levelNames(b)];
  if (left.size === 0 || right.size === 0 || [...left].some((level) => right.has(level))) return;
  throw new UserError(
    "nothing-to-do",
    `${request.a} is a report of level ${[...left].join(", ")}, ${request.b} of ${[...right].join(", ")}: they cannot be compared`,
    { path: request.b, hint: "pass two reports of the same level" },
  );
}

/** Skills whose tests were left out because a run was limited to single cases. */
function singleCases({ report }: OpenReport): string[] {
  return report.skipped
    .filter(({ reason }) => reason === "single-case")
    .map(({ level, skillId }) => JSON.stringify([level, skillId]));
}

function skillsIn(names: ReadonlySet<string>): string[] {
  return [...names].map((name) => (JSON.parse(name) as [string, string])[1]);
}

function unpairedWarning(skill: SkillDiff, count: number): string[] {
  if (count === 0) return [];
  const cases = pluralize(count, ...skill.nouns.case);
  const name = skill.skillId === null ? subjectTitle(skill) : diffName(skill);
  return [`${name}: ${cases} left out: changed, on one side only, or without a valid result on one side`];
}

function named(sides: readonly ComparedSide[]): string {
  const names = sides.map(({ subject }: { subject: ComparedSubject }) => subjectTitle(subject));
  return names.length === 0 ? "none" : listed(names, 3);
}
