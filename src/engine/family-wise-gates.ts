import type { GateReport, SubjectReport } from "../contract/document.ts";
import { isMet } from "../contract/gate-met.ts";
import { aboveLine, holm } from "../shared/statistics/family-wise.ts";
import { groupedBy } from "../shared/text/sort-and-group.ts";

/**
 * Gates on the bound of a rate, corrected for the number of subjects by Holm: among many, one whose rate lies on the wrong side
 * of the line would get past it by luck. Gates on one figure are a family, whatever their lines. A figure that is no rate over
 * cases has no such test, and its gate stays.
 */
export function correctGates(gates: readonly GateReport[], subjects: readonly SubjectReport[]): GateReport[] {
  const tested = gates.flatMap((gate, at) => {
    const chance = chanceOf(gate, subjects);
    return chance === null ? [] : [{ gate, at, chance }];
  });
  const families = groupedBy(tested, ({ gate: { level, metric, on } }) =>
    JSON.stringify([level, metric, on]),
  );
  const corrected = [...gates];
  for (const family of families.values()) {
    const chances = holm(family.map(({ chance }) => chance));
    for (const [rank, { gate, at }] of family.entries()) {
      const judged = { ...gate, familyWise: { verdicts: family.length, p: chances[rank] ?? 1 } };
      corrected[at] = { ...judged, passed: gate.enforced ? isMet(judged) : null };
    }
  }
  return corrected;
}

/** How likely its figure is where the truth lies on the line; null where that cannot be told. */
function chanceOf(gate: GateReport, subjects: readonly SubjectReport[]): number | null {
  const { level, metric, on, threshold, subject } = gate;
  if (subject === null || on === "point" || gate.value === null) return null;
  const found = subjects.find(
    (one) =>
      one.level === level &&
      one.suite === subject.suite &&
      one.skillId === subject.skillId &&
      one.model === subject.model &&
      one.arm === subject.arm,
  );
  const { value = null, interval = null } = found?.metrics[metric] ?? {};
  if (value === null || interval === null || interval.nEff === null) return null;
  return on === "lower"
    ? aboveLine(value, threshold, interval.nEff)
    : aboveLine(1 - value, 1 - threshold, interval.nEff);
}
