import type { Json } from "../shared/json/json.ts";
import { shortenWords } from "../shared/text/visible-text.ts";

/** A value as a reason names it: scalars as JSON, lists and objects by their size only. */
export function describeValue(value: Json): string {
  if (value === null || typeof value !== "object") return shortenWords(JSON.stringify(value), 80);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return `an object with ${Object.keys(value).length} members`;
}
