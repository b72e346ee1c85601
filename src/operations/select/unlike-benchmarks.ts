import { listed } from "../../shared/text/listed.ts";
import type { MeasuredSkill } from "./merge-reports.ts";

const maxNamed = 3;

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
    ({ benchmarks, skills }) => `${listed(skills, maxNamed)} on ${listed(benchmarks, maxNamed)}`,
  );
  return `the skills were measured on different benchmarks and cannot be compared: ${listed(sets, maxNamed, "; ")}`;
}
