const most = 10_000;

/** The way to a list or map that is longer than anybody writes by hand, two levels deep; null where there is none. Schemas may be long. */
export function tooManyMembers(value: unknown): readonly PropertyKey[] | null {
  return search(value, [], 2);
}

export const tooManyMembersMessage = "more than 10,000 members";

function search(value: unknown, steps: readonly PropertyKey[], depth: number): readonly PropertyKey[] | null {
  if (typeof value !== "object" || value === null) return null;
  const keys = Object.keys(value);
  if (keys.length > most) return steps;
  if (depth === 0) return null;
  for (const key of keys) {
    if (schemas.includes(key)) continue;
    const found = search(
      (value as Record<string, unknown>)[key],
      [...steps, Array.isArray(value) ? Number(key) : key],
      depth - 1,
    );
    if (found !== null) return found;
  }
  return null;
}

const schemas = ["inputSchema", "outputSchema"];
