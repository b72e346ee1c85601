import type { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/json-values.ts";
import type { JsonFile } from "../folder/json-file.ts";

/** A manifest as it is spelt today. Old spellings are read, and reported. */
export function withoutOldSpellings(manifest: JsonFile, diagnostics: Diagnostics): Record<string, unknown> {
  const value = structuredClone(isMap(manifest.value) ? manifest.value : {});
  const report = (steps: readonly string[], reason: string, hint: string) => {
    const location = manifest.locate(steps);
    diagnostics.add("AHM06", location, `${location.jsonPath}: ${reason}`, { hint });
  };
  for (const { parent, old, today } of renamed) {
    const owner = parent === null ? value : value[parent];
    if (!isMap(owner) || !Object.hasOwn(owner, old)) continue;
    report(parent === null ? [old] : [parent, old], `deprecated spelling of ${today}`, `write ${today}`);
    if (!Object.hasOwn(owner, today)) owner[today] = owner[old];
    delete owner[old];
  }
  for (const { parent, key } of lists) {
    const owner = parent === null ? value : value[parent];
    if (!isMap(owner)) continue;
    const written = owner[key];
    if (typeof written !== "string") continue;
    report(parent === null ? [key] : [parent, key], "a list written as a string", "write a list");
    owner[key] = splitList(written);
  }
  return value;
}

/** Keys that are called something else today. */
export const renamed = [
  { parent: null, old: "schemaVersion", today: "schema_version" },
  { parent: "meta", old: "category", today: "group" },
];

const lists = [
  ...["hosts", "tags", "intents", "triggers", "examples"].map((key) => ({ parent: "routing", key })),
  { parent: "output", key: "markers" },
  { parent: null, key: "tools" },
  { parent: null, key: "x-not_for" },
];

/** Where semicolons separate, commas belong to the sentences between them. */
function splitList(text: string): string[] {
  const separator = /[;；]/.test(text) ? /[;；]/ : /[,，]/;
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
