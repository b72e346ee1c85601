import type { JsonObject } from "../../shared/json/json.ts";
import type { KnownKeys } from "../../shared/json/known-keys.ts";
import { unknownKeys } from "../../shared/json/unknown-keys.ts";
import type { SuiteDefaults } from "./raw-case.ts";

/** What a suite says about a case of one kind: what only cases of another kind know is not meant for it. */
export function defaultsFor(defaults: SuiteDefaults | null, known: KnownKeys, other: KnownKeys): JsonObject {
  if (defaults === null) return {};
  const strange = unknownKeys(defaults.value, known);
  if (strange.length === 0) return defaults.value;
  const nobodys = new Set(unknownKeys(defaults.value, other).map(({ steps }) => JSON.stringify(steps)));
  const copy = structuredClone(defaults.value);
  // Unknown keys stay, and are reported.
  for (const { steps } of strange) if (!nobodys.has(JSON.stringify(steps))) remove(copy, steps);
  return copy;
}

function remove(value: JsonObject, steps: readonly PropertyKey[]): void {
  let owner: Record<PropertyKey, unknown> = value;
  for (const step of steps.slice(0, -1)) owner = owner[step] as Record<PropertyKey, unknown>;
  delete owner[steps.at(-1) ?? ""];
}
