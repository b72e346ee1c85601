import { maxNesting } from "../shared/json/strict-json.ts";

/** Whether a value that another program wrote is nested deeper than we can keep. Never looks further than that itself. */
export function isNestedDeeper(value: unknown, levels: number = maxNesting): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}
