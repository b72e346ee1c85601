import { nearestBeginning, nearestSpelling } from "../text/nearest.ts";
import type { KnownKeys } from "./known-keys.ts";
import { isUnsafeKey } from "./safe-keys.ts";

/** A key that nobody reads. */
export interface UnknownKey {
  /** The way to it from the root, itself last. */
  steps: readonly PropertyKey[];
  /** The known key it was most likely meant to be, or null. */
  meant: string | null;
  /** It would reach into an object's prototype. */
  isUnsafe: boolean;
}

/** The keys of a document that nobody reads, in the order they stand in. */
export function unknownKeys(value: unknown, known: KnownKeys): UnknownKey[] {
  const found: UnknownKey[] = [];
  visitUnknownKeys(value, known, (key, steps, keys, owner) => {
    if (key === "$schema" && steps.length === 0) return; // for editors, which look up the schema of a file by it
    // A key beside the one it begins like is an addition: `description`, `descriptionInFrench`.
    const absent = keys.filter((one) => !Object.hasOwn(owner, one));
    const meant = nearestSpelling(key, keys) ?? nearestBeginning(key, absent);
    found.push({ steps: [...steps, key], meant, isUnsafe: isUnsafeKey(key) });
  });
  return found;
}

/** A copy without the keys nobody reads. */
export function dropUnknownKeys(value: unknown, known: KnownKeys): unknown {
  const copy = structuredClone(value);
  visitUnknownKeys(copy, known, (key, _, __, owner) => {
    delete owner[key];
  });
  return copy;
}

type Visit = (
  key: string,
  steps: readonly PropertyKey[],
  known: readonly string[],
  owner: Record<string, unknown>,
) => void;

/** Calls `visit` for every key that stands at a listed place and is not listed there. */
function visitUnknownKeys(value: unknown, known: KnownKeys, visit: Visit): void {
  walk(value, "$", [], known, visit);
}

function walk(
  value: unknown,
  place: string,
  steps: readonly PropertyKey[],
  known: KnownKeys,
  visit: Visit,
): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    if (!leadsSomewhere(`${place}[]`, known)) return;
    for (const [index, item] of value.entries()) walk(item, `${place}[]`, [...steps, index], known, visit);
    return;
  }
  const keys = Object.hasOwn(known, place) ? known[place] : undefined;
  for (const [key, member] of Object.entries(value)) {
    if (keys !== undefined && !keys.includes(key)) {
      visit(key, steps, keys, value as Record<string, unknown>);
      continue;
    }
    const below = keys === undefined ? `${place}.*` : `${place}.${key}`;
    if (leadsSomewhere(below, known)) walk(member, below, [...steps, key], known, visit);
  }
}

function leadsSomewhere(place: string, known: KnownKeys): boolean {
  return Object.keys(known).some(
    (listed) => listed === place || listed.startsWith(`${place}.`) || listed.startsWith(`${place}[`),
  );
}
