import { compareSkill } from "../aggregate/compare-skill.ts";
import { countOf } from "../base/count-of.ts";
import { listed } from "../base/listed.ts";
import {
  caseNoun,
  type DiffWithTasks,
  type ReportDiff,
  type SkillDiff,
  type SkillName,
} from "../contract/diff.ts";
import { UserError } from "../contract/user-error.ts";
import { subjectTitle } from "../reporters/diff-words.ts";
import type { AnyReport } from "../spec/read-any-report.ts";
import { pairReports } from "./pair-reports.ts";
import { readUnambiguousReport } from "./read-unambiguous-report.ts";

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

/** Holds one report file against another: which skills have become better or worse, as far as their tasks can tell. */
export function compareReports(request: CompareRequest): DiffWithTasks {
  const { labels, seed, isStrict, failOnRegression, cwd } = request;
  const a = readUnambiguousReport(request.a, cwd);
  const b = readUnambiguousReport(request.b, cwd);
  const paired = pairReports(a, b, labels);
  if (paired === null)
    throw new UserError(
      "nothing-to-do",
      `${request.a} is a report of ${a.command}, ${request.b} one of ${b.command}: they have nothing to compare`,
      {
        path: request.b,
        hint: "name two reports of planbench, two of agent eval, two of trigger, or two of eval or run",
      },
    );
  const { pairs, added, removed, isLatencyComparable, warnings } = paired;
  if (pairs.length === 0)
    throw new UserError(
      "nothing-to-do",
      `${request.a} and ${request.b} have no ${commonThing(a.command)} in common`,
      {
        path: request.b,
        hint: `${request.a} has ${named(removed)}; ${request.b} has ${named(added)}`,
      },
    );
  const compared = pairs.map((pair) => compareSkill(pair.a, pair.b, { seed, isStrict, isLatencyComparable }));
  const skills = compared.map(({ skill }) => skill);
  const hasRegressed = removed.length > 0 || skills.some(({ verdict }) => verdict === "regressed");
  const unpaired = compared.flatMap(({ skill, unpaired: count }) => leftOut(skill, count));
  return {
    diff: {
      labels,
      skills,
      added: added.map(nameOf),
      removed: removed.map(nameOf),
      warnings: [...warnings, ...unpaired],
      exitCode: hasRegressed && failOnRegression ? 1 : 0,
    },
    changes: compared.map(({ changes }) => changes),
  };
}

function commonThing(command: AnyReport["command"]): string {
  if (command === "planbench") return "bench and kind of case";
  return command === "agent eval" ? "suite and model" : "skill and benchmark";
}

function leftOut(skill: SkillDiff, count: number): string[] {
  if (count === 0) return [];
  const tasks = countOf(count, ...caseNoun(skill));
  return [
    `${caseNoun(skill)[0] === "case" ? subjectTitle(skill) : skill.skillId}: ${tasks} left out: changed, on one side only, or without a valid result on one side`,
  ];
}

function nameOf({ skillId, benchmarkId }: SkillName): SkillName {
  return { skillId, benchmarkId };
}

function named(sides: readonly SkillName[]): string {
  const names = sides.map(subjectTitle);
  return names.length === 0 ? "none" : listed(names, 3);
}
