import type { MeasuredSkill } from "../src/operations/select/merge-reports.ts";

/** What a report says of a skill, for tests: it mostly passes, but for what is given. */
export function measured(
  given: Partial<Omit<MeasuredSkill, "summary">> = {},
  rates: Partial<MeasuredSkill["summary"]> = {},
): MeasuredSkill {
  return {
    skillId: "my_calc",
    skillVersion: "1.0.0",
    skillDigest: "sha256:5f1e",
    benchmarkId: "coding-easy",
    timestamp: "2026-03-01T07:24:31.007Z",
    summary: { completionRate: 0.95, errorRate: 0.0167, compositeScore: 0.9673, ...rates },
    latency: { p95Ms: 412 },
    tokenCost: null,
    ...given,
  };
}

/** A skill of which nothing is known: every cell was invalid. */
export function unknownSkill(skillId: string): MeasuredSkill {
  return measured(
    { skillId, latency: { p95Ms: null } },
    { completionRate: null, errorRate: null, compositeScore: null },
  );
}
