import { isMap } from "../../shared/json/is-map.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";

/** A text that is there and not empty; else null. */
export function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function numberIn(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function mapIn(value: unknown): Record<string, unknown> {
  return isMap(value) ? value : {};
}

/** Names in a list of names, or of things that have one. */
export function namesIn(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  return value.flatMap((item) => textIn(item) ?? textIn(mapIn(item).name) ?? []);
}

/** Arguments as an object, or as the JSON text of one; null where they are neither. */
export function argumentsIn(value: unknown): JsonObject | null {
  if (isMap(value)) return value as JsonObject;
  if (value === "") return {};
  if (typeof value !== "string") return null;
  const parsed = parseStrictJson(value);
  return parsed.ok && isMap(parsed.value) ? (parsed.value as JsonObject) : null;
}

/** The text of a content: itself, or the texts of its parts, whatever they are called. */
export function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return value === undefined || value === null ? "" : JSON.stringify(value);
  return value
    .map((part) => textIn(part) ?? textIn(mapIn(part).text) ?? textIn(mapIn(part).content) ?? "")
    .join("");
}
