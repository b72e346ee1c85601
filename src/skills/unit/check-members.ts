import type { Diagnostics } from "../../contract/diagnostics.ts";
import { type KnownKeys, type UnknownKey, unknownKeys } from "../../shared/json/known-keys.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";

/** Locating each takes a search through the file. */
export const maxReported = 50;

/** Reports unknown keys. Returns, for those that are errors, the paths of the keys they were meant to be. */
export function reportUnknownKeys(file: JsonFile, known: KnownKeys, diagnostics: Diagnostics): string[] {
  const misspelt: string[] = [];
  const found = unknownKeys(file.value, known);
  const isError = ({ meant, isUnsafe }: UnknownKey) => meant !== null || isUnsafe;
  const errorsFirst = [...found.filter(isError), ...found.filter((key) => !isError(key))];
  for (const { steps, meant, isUnsafe } of diagnostics.takeFirst(errorsFirst, maxReported)) {
    const location = file.locate(steps);
    const message = `unknown key ${shorten(jsonPath(steps), 200)}`;
    if (meant === null && !isUnsafe) {
      diagnostics.add("SKU06", location, message, { severity: "warning" });
      continue;
    }
    diagnostics.add("SKU06", location, message, { hint: isUnsafe ? "remove it" : `did you mean ${meant}?` });
    misspelt.push(jsonPath([...steps.slice(0, -1), meant ?? ""]));
  }
  return misspelt;
}

const maxMembers = 10_000;

/** The path of a list or map that is longer than anybody writes by hand, two levels deep; null where there is none. Schemas may be long. */
export function tooManyMembers(value: unknown): readonly PropertyKey[] | null {
  return search(value, [], 2);
}

export const tooManyMembersMessage = "more than 10,000 members";

function search(value: unknown, steps: readonly PropertyKey[], depth: number): readonly PropertyKey[] | null {
  if (typeof value !== "object" || value === null) return null;
  const keys = Object.keys(value);
  if (keys.length > maxMembers) return steps;
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
