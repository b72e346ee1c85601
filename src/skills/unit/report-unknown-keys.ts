import type { Diagnostics } from "../../contract/diagnostics.ts";
import { jsonPath } from "../../shared/json/json-path.ts";
import type { KnownKeys } from "../../shared/json/known-keys.ts";
import { type UnknownKey, unknownKeys } from "../../shared/json/unknown-keys.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";

/** Each costs a look through the file. */
export const maxReported = 50;

/** Reports keys that nobody reads; those that are errors are answered with the places of the keys they were meant to be. */
export function reportUnknownKeys(file: JsonFile, known: KnownKeys, diagnostics: Diagnostics): string[] {
  const misspelt: string[] = [];
  const found = unknownKeys(file.value, known);
  const isError = ({ meant, isUnsafe }: UnknownKey) => meant !== null || isUnsafe;
  const errorsFirst = [...found.filter(isError), ...found.filter((key) => !isError(key))];
  for (const { steps, meant, isUnsafe } of diagnostics.firstOf(errorsFirst, maxReported)) {
    const place = file.placeOf(steps);
    const message = `unknown key ${shorten(jsonPath(steps), 200)}`;
    if (meant === null && !isUnsafe) {
      diagnostics.add("SKU06", place, message, { severity: "warning" });
      continue;
    }
    diagnostics.add("SKU06", place, message, { hint: isUnsafe ? "remove it" : `did you mean ${meant}?` });
    misspelt.push(jsonPath([...steps.slice(0, -1), meant ?? ""]));
  }
  return misspelt;
}
