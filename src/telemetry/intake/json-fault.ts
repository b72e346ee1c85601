/** Why a value that `JSON.parse` gave cannot be kept as it is; null where it can. Looks no deeper than it may. */
export function jsonFault(value: unknown, levels: number): string | null {
  return findFault(value, levels, levels);
}

function findFault(value: unknown, levels: number, left: number): string | null {
  // 1e999 is grammar, and no number that JSON could say again.
  if (typeof value === "number")
    return Number.isFinite(value) ? null : "contains a number that is not finite";
  if (value === null || typeof value !== "object") return null;
  if (left === 0) return `is nested deeper than ${levels} levels`;
  for (const member of Object.values(value)) {
    const fault = findFault(member, levels, left - 1);
    if (fault !== null) return fault;
  }
  return null;
}
