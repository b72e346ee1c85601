import type { GateReport } from "./document.ts";

/** A bound of a 95 % interval is passed by luck in one of so many cases. */
export const boundLevel = 0.025;

/** Whether a value meets its threshold, whoever enforces it; null where there is no value: that is neither above nor below. */
export function isMet({
  value,
  op,
  threshold,
  familyWise,
}: Pick<GateReport, "value" | "op" | "threshold" | "familyWise">): boolean | null {
  if (value === null) return null;
  if (familyWise !== undefined) return familyWise.p <= boundLevel;
  return op === ">=" ? value >= threshold : value <= threshold;
}
