import type { LevelFold } from "../../contract/level.ts";
import { contractEvidence } from "./details.ts";

/** How many things were found in each skill, and how many contracts are broken. */
export function contractFold(): LevelFold {
  const findings = new Map<string | null, number>();
  let failed = 0;
  return {
    add(result) {
      const { counts } = contractEvidence(result) ?? {};
      const known = findings.get(result.skillId) ?? 0;
      if (counts !== undefined) findings.set(result.skillId, Math.max(known, counts.findings));
      if (result.status !== "pass" && result.status !== "invalid") failed++;
    },
    figures: ({ skillId }) => ({
      metrics: { findings: { value: findings.get(skillId) ?? null } },
      // The same files give the same findings, so one trial is enough.
      details: { isScripted: true },
    }),
    overall: () => ({ failedContracts: { value: failed } }),
  };
}
