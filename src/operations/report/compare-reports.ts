import { resolve } from "node:path";
import type { ComparedSubject, DiffWithTasks, ReportDiff, SkillDiff } from "../../contract/diff.ts";
import type { Level } from "../../contract/level.ts";
import { levels as allLevels } from "../../levels/levels.ts";
import { differingConditions, doubts, timeProblem } from "../../report/compare/compare-conditions.ts";
import { pairSides } from "../../report/compare/compare-pairs.ts";
import { compareSkill } from "../../report/compare/compare-skill.ts";
import { type ComparedSide, comparedSides } from "../../report/compare/compared-side.ts";
import { correctVerdicts } from "../../report/compare/correct-verdicts.ts";
import { type DiffGates, judgeDiff } from "../../report/compare/diff-gates.ts";
import { countedReasons, diffTitle, subjectTitle } from "../../report/compare/diff-words.ts";
import { refuseMixed } from "../../report/compare/strict-rules.ts";
import { type OpenReport, readReport } from "../../report/convert/read-report.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";

export interface CompareRequest extends DiffGates {
  a: string;
  b: string;
  labels: ReportDiff["labels"];
  /** Only this subject of each report; both together pair under any name. */
  subjectA?: string | undefined;
  subjectB?: string | undefined;
  seed: number;
  isStrict: boolean;
  /** A change within this distance of 0 is none. */
  margin: number;
  /** Whether a false verdict among all is as unlikely as otherwise a single one. */
  isFamilyWise: boolean;
  cwd: string;
}

/** Compares two report files: which subjects have become better or worse on the cases they share. */
export function compareReports(request: CompareRequest, levels: readonly Level[] = allLevels): DiffWithTasks {
  const { labels, seed, isStrict, margin, isFamilyWise, cwd } = request;
  const a = readReport(resolve(cwd, request.a), levels, request.a);
  const b = readReport(resolve(cwd, request.b), levels, request.b);
  refuseOtherLevels(a, b, request);
  const limited = { a: singleCases(a), b: singleCases(b) };
  const isLeftOut = (side: ComparedSide) =>
    limited.a.has(limitedKey(side)) || limited.b.has(limitedKey(side));
  const before = wantedSides(a, levels, request.subjectA, request.a);
  const after = wantedSides(b, levels, request.subjectB, request.b);
  const { pairs, added, removed } = pairSides(
    before.filter((side) => !isLeftOut(side)),
    after.filter((side) => !isLeftOut(side)),
  );
  const leftOut = [...before, ...after].filter(isLeftOut);
  if (pairs.length === 0)
    throw new UserError("nothing-to-do", `${request.a} and ${request.b} have nothing in common`, {
      path: request.b,
      hint: `${request.a} has ${named(removed)}; ${request.b} has ${named(added)}`,
    });
  if (isStrict) for (const pair of pairs) refuseMixed(pair, request);
  const rules = { seed, isStrict, margin, labels, timeProblem: timeProblem(a.report, b.report) };
  const compared = pairs.map((pair) => compareSkill(pair.a, pair.b, rules));
  const skills = correctVerdicts(
    compared.map(({ skill }) => skill),
    isFamilyWise,
  );
  const found = {
    labels,
    skills,
    added: added.map(({ subject }) => subject),
    removed: removed.map(({ subject }) => subject),
    leftOut: leftOut.map(({ subject }) => subject),
  };
  const judged = skills.filter(({ verdict }) => verdict !== "not-comparable").length;
  return {
    diff: {
      ...found,
      warnings: [
        ...doubts(a.report, b.report, { labels, paths: request }),
        ...differingConditions(a.report, b.report, labels),
        ...(isStrict ? skills.flatMap(onceWarning) : []),
        ...skills.flatMap((skill) => notComparedWarning(skill, labels)),
        ...busyMachineWarning(skills, a.report.run.id === b.report.run.id),
      ],
      isFamilyWise,
      expectedFalse: isFamilyWise ? 0.05 : Number((0.05 * judged).toFixed(2)),
      ...judgeDiff(found, request),
    },
    changes: compared.map(({ changes }) => changes),
  };
}

/** The subjects of a report, or the one that was asked for. */
function wantedSides(
  { report, cells }: OpenReport,
  levels: readonly Level[],
  wanted: string | undefined,
  path: string,
): ComparedSide[] {
  const sides = comparedSides(report, cells, levels);
  if (wanted === undefined) return sides;
  const found = sides.filter(({ subject }) => subject.name === wanted);
  if (found.length > 0) return found;
  throw new UserError("nothing-to-do", `${path} has no subject ${wanted}`, {
    path,
    hint: `it has ${listed([...new Set(sides.map(({ subject }) => subject.name))], 5)}`,
  });
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
function singleCases({ report }: OpenReport): Set<string> {
  return new Set(
    report.skipped
      .filter(({ reason }) => reason === "single-case")
      .map(({ level, skillId }) => JSON.stringify([level, skillId])),
  );
}

function limitedKey({ level, subject }: ComparedSide): string {
  return JSON.stringify([level.name, subject.skillId]);
}

function notComparedWarning(skill: SkillDiff, labels: ReportDiff["labels"]): string[] {
  const { edited, onlyA, onlyB, invalid, quarantined = [] } = skill.paired.notCompared;
  const count = edited.length + onlyA.length + onlyB.length + invalid.length + quarantined.length;
  if (count === 0 || skill.verdict === "not-comparable") return [];
  const cases = pluralize(count, ...skill.nouns.case);
  return [`${diffTitle(skill)}: ${cases} not compared${countedReasons(skill.paired.notCompared, labels)}`];
}

function onceWarning(skill: SkillDiff): string[] {
  if (skill.paired.trials !== 1) return [];
  const [one] = skill.nouns.case;
  return [
    `${diffTitle(skill)}: --strict with one trial per ${one} cannot notice a skill that varies; use --runs 3 to check`,
  ];
}

/** What else a machine did while it ran the two versions is unknown, unless they ran together. */
function busyMachineWarning(skills: readonly SkillDiff[], isSameRun: boolean): string[] {
  const isTimeJudged = skills.some(({ metrics }) =>
    [metrics.latencyMs, metrics.latencyP95Ms].some(
      (row) => row?.sense === "better" || row?.sense === "worse",
    ),
  );
  return isSameRun || !isTimeJudged
    ? []
    : [
        "latencies were measured in two runs: other work on the machine may explain a difference; to rule that out, run both versions together and compare with --subject-a and --subject-b",
      ];
}

function named(sides: readonly ComparedSide[]): string {
  const names = sides.map(({ subject }: { subject: ComparedSubject }) => subjectTitle(subject));
  return names.length === 0 ? "none" : listed(names, 3);
}
