import { differingConditions, haveSameLoad } from "../aggregate/compare-conditions.ts";
import { pairSkills } from "../aggregate/compare-pairs.ts";
import { compareSkill } from "../aggregate/compare-skill.ts";
import { countOf } from "../base/count-of.ts";
import { listed } from "../base/listed.ts";
import type { DiffWithTasks, ReportDiff, SkillName } from "../contract/diff.ts";
import type { SkillReport } from "../contract/report.ts";
import { UserError } from "../contract/user-error.ts";
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
  const { pairs, added, removed } = pairSkills(a.reports, b.reports);
  if (pairs.length === 0)
    throw new UserError(
      "nothing-to-do",
      `${request.a} and ${request.b} have no skill and benchmark in common`,
      {
        path: request.b,
        hint: `${request.a} has ${named(a.reports)}; ${request.b} has ${named(b.reports)}`,
      },
    );
  const isLatencyComparable = haveSameLoad(a, b);
  const compared = pairs.map((pair) => compareSkill(pair.a, pair.b, { seed, isStrict, isLatencyComparable }));
  const skills = compared.map(({ skill }) => skill);
  const hasRegressed = removed.length > 0 || skills.some(({ verdict }) => verdict === "regressed");
  const unpaired = compared.flatMap(({ skill, unpaired: count }) => leftOut(skill.skillId, count));
  return {
    diff: {
      labels,
      skills,
      added: added.map(nameOf),
      removed: removed.map(nameOf),
      warnings: [...differingConditions(a, b, pairs, labels), ...unpaired],
      exitCode: hasRegressed && failOnRegression ? 1 : 0,
    },
    changes: compared.map(({ changes }) => changes),
  };
}

function leftOut(skillId: string, count: number): string[] {
  if (count === 0) return [];
  const tasks = countOf(count, "task");
  return [`${skillId}: ${tasks} left out: changed, on one side only, or without a valid result on one side`];
}

function nameOf({ skillId, benchmarkId }: SkillReport): SkillName {
  return { skillId, benchmarkId };
}

function named(reports: readonly SkillReport[]): string {
  const names = reports.map(({ skillId, benchmarkId }) => `${skillId} on ${benchmarkId}`);
  return names.length === 0 ? "none" : listed(names, 3);
}
