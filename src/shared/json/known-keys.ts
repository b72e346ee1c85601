import type * as z from "zod";
import { nearestBeginning, nearestSpelling } from "../text/nearest.ts";
import { isUnsafeKey } from "./json-values.ts";

/** Which keys a document knows, by path: `$`, `$.tasks[]`, `$.models.*`. A path that is not listed takes any key. */
export type KnownKeys = Readonly<Record<string, readonly string[]>>;

/** The keys a schema knows. Loose objects and values without a shape stay open. */
export function knownKeys(schema: z.core.$ZodType): KnownKeys {
  const found: Record<string, string[]> = {};
  collect(schema, "$", found);
  return found;
}

function collect(schema: z.core.$ZodType, path: string, found: Record<string, string[]>): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      if (def.catchall?._zod.def.type === "unknown") return;
      found[path] = [...new Set([...(found[path] ?? []), ...Object.keys(def.shape)])];
      for (const [key, member] of Object.entries(def.shape)) collect(member, `${path}.${key}`, found);
      return;
    case "array":
      collect(def.element, `${path}[]`, found);
      return;
    case "record":
      collect(def.valueType, `${path}.*`, found);
      return;
    case "union":
      for (const option of def.options) collect(option, path, found);
      return;
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      collect(def.innerType, path, found);
  }
}

/** A key that nobody reads. */
export interface UnknownKey {
  /** The way to it from the root, itself last. */
  steps: readonly PropertyKey[];
  /** The known key it was most likely meant to be, or null. */
  meant: string | null;
  /** It would reach into an object's prototype. */
  isUnsafe: boolean;
}

/** The keys of a document that nobody reads, in document order. */
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

/** Calls `visit` for every key at a listed path that is not listed for it. */
function visitUnknownKeys(value: unknown, known: KnownKeys, visit: Visit): void {
  walk(value, "$", [], known, visit);
}

function walk(
  value: unknown,
  path: string,
  steps: readonly PropertyKey[],
  known: KnownKeys,
  visit: Visit,
): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    if (!leadsSomewhere(`${path}[]`, known)) return;
    for (const [index, item] of value.entries()) walk(item, `${path}[]`, [...steps, index], known, visit);
    return;
  }
  const keys = Object.hasOwn(known, path) ? known[path] : undefined;
  for (const [key, member] of Object.entries(value)) {
    if (keys !== undefined && !keys.includes(key)) {
      visit(key, steps, keys, value as Record<string, unknown>);
      continue;
    }
    const below = keys === undefined ? `${path}.*` : `${path}.${key}`;
    if (leadsSomewhere(below, known)) walk(member, below, [...steps, key], known, visit);
  }
}

function leadsSomewhere(path: string, known: KnownKeys): boolean {
  return Object.keys(known).some(
    (listed) => listed === path || listed.startsWith(`${path}.`) || listed.startsWith(`${path}[`),
  );
}
