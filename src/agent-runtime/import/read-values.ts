import { traceKinds } from "../../contract/trace-kind.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import type { TracePlace } from "./trace.ts";

/** Bytes of a trace. */
const maxTraceBytes = 128 << 20;

/** A line of a file, or an item of the list that it is. */
export interface TraceItem extends TracePlace {
  value: unknown;
  /** As it stands in the file. */
  text: string;
  /** Why it is no value to read; null where it is. */
  problem: "unreadable" | "repeated" | null;
}

/** The items of a file that is JSON, or has a JSON value in every line. What cannot be parsed stays an item. */
export function readItems(bytes: Uint8Array): TraceItem[] {
  if (bytes.length > maxTraceBytes) throw invalid("is larger than 128 MiB");
  const text = new TextDecoder().decode(bytes);
  const lines = text.split("\n");
  const filled = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at]));
  const [first] = filled;
  if (first === undefined) throw invalid("is empty");
  const isLines = filled.length > 1 && parseStrictJson(lines[first] ?? "").ok;
  if (!isLines) {
    const whole = parseStrictJson(text);
    if (whole.ok) return listedItems(whole.value, { line: null, location: "" });
    if (filled.length === 1) throw invalid(`cannot be parsed: ${shownText(whole.problem, 200)}`);
  }
  const items = filled.flatMap((at): TraceItem[] => {
    const line = lines[at] ?? "";
    const parsed = parseStrictJson(line);
    const place = { line: at + 1, location: `line ${at + 1}` };
    if (!parsed.ok) return [{ ...place, value: null, text: line, problem: "unreadable" }];
    if (Array.isArray(parsed.value)) return listedItems(parsed.value, place);
    return [{ ...place, value: parsed.value, text: line, problem: null }];
  });
  const read = items.filter(({ problem }) => problem === null).length;
  if (read * 2 < items.length) throw invalid("contains neither JSON nor JSON lines");
  return items;
}

/** A value, or the items of the list that it is. */
export function listedItems(value: unknown, place: TracePlace): TraceItem[] {
  if (!Array.isArray(value)) return [{ ...place, value, text: JSON.stringify(value), problem: null }];
  return value.map((item, at) => {
    const location = place.location === "" ? `item ${at + 1}` : `${place.location}, item ${at + 1}`;
    return { line: place.line, location, value: item, text: JSON.stringify(item), problem: null };
  });
}

/** The same items, where those that repeat the one before them are marked. */
export function markRepeated(
  items: readonly TraceItem[],
  mayRepeat: (value: unknown) => boolean,
): TraceItem[] {
  return items.map((item, at) => {
    const before = items[at - 1];
    const isSame = before !== undefined && before.problem === null && before.text.trim() === item.text.trim();
    return item.problem === null && isSame && !mayRepeat(item.value)
      ? { ...item, problem: "repeated" }
      : item;
  });
}

/** What is wrong with a trace, to follow the name of its file: `is empty`. */
export function invalid(message: string): UserError {
  return new UserError("trace-invalid", message, {
    hint: `formats that are read: ${traceKinds.join(", ")}; --from names one`,
  });
}

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
