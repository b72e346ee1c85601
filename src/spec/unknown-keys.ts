import { jsonPath } from "../base/json-path.ts";
import { nearestBeginning, nearestSpelling } from "../base/nearest.ts";
import { isUnsafeKey } from "../base/safe-keys.ts";
import { type ErrorCode, UserError } from "../contract/user-error.ts";
import type { KnownKeys } from "./known-keys.ts";

export interface Document {
  /** The file, as the message should name it. */
  path: string;
  /** The code of the error. */
  code: ErrorCode;
}

/** Looks for keys nobody reads: one that is close to a known key is an error, any other a warning to print. */
export function checkUnknownKeys(value: unknown, known: KnownKeys, { path, code }: Document): string[] {
  const warnings: string[] = [];
  visitUnknownKeys(value, known, (key, steps, keys, owner) => {
    if (key === "$schema" && steps.length === 0) return; // for editors, which look up the schema of a file by it
    const place = jsonPath([...steps, key]);
    const refuse = (problem: string, hint?: string) => {
      throw new UserError(code, `${path}: the key ${place} ${problem}`, { path, jsonPath: place, hint });
    };
    if (isUnsafeKey(key)) refuse("is not allowed");
    // A key beside the one it begins like is an addition: `description`, `descriptionInFrench`.
    const absent = keys.filter((one) => !Object.hasOwn(owner, one));
    const meant = nearestSpelling(key, keys) ?? nearestBeginning(key, absent);
    if (meant !== null) refuse("is not known", `did you mean ${meant}?`);
    warnings.push(`${path}: the key ${place} is not known and was ignored`);
  });
  return warnings;
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
