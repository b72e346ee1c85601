import type { GateReport } from "./document.ts";

/** Whether a value meets its threshold, whoever enforces it; null where there is no value: that is neither above nor below. */
export function isMet({
  value,
  op,
  threshold,
}: Pick<GateReport, "value" | "op" | "threshold">): boolean | null {
  if (value === null) return null;
  return op === ">=" ? value >= threshold : value <= threshold;
}
