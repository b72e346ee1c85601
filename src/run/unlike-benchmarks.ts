import type { MeasuredSkill } from "../aggregate/merge-reports.ts";
import { listed } from "../base/listed.ts";

const namedAtMost = 3;

/** The warning that skills were measured on different benchmarks, so that their figures do not compare; null where they do. */
export function unlikeBenchmarks(
  skillIds: readonly string[],
  reports: readonly Pick<MeasuredSkill, "skillId" | "benchmarkId">[],
): string | null {
  const groups = new Map<string, { benchmarks: string[]; skills: string[] }>();
  for (const skillId of skillIds) {
    const own = reports.filter((report) => report.skillId === skillId);
    const benchmarks = [...new Set(own.map(({ benchmarkId }) => benchmarkId))].sort();
    if (benchmarks.length === 0) continue;
    const key = JSON.stringify(benchmarks);
    const group = groups.get(key) ?? { benchmarks, skills: [] };
    groups.set(key, group);
    group.skills.push(skillId);
  }
  if (groups.size < 2) return null;
  const sets = [...groups.values()].map(
    ({ benchmarks, skills }) => `${listed(skills, namedAtMost)} on ${listed(benchmarks, namedAtMost)}`,
  );
  return `the skills were not measured on the same benchmarks, so their figures do not compare: ${listed(sets, namedAtMost, "; ")}`;
}
