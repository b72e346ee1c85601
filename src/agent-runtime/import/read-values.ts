import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";

/** Bytes of a trace. */
const maxTraceBytes = 128 << 20;
/** Problems that are reported one by one. */
const maxWarnings = 20;

export interface LocatedValue {
  value: unknown;
  /** `line 3`, or empty for a file that is one value. */
  location: string;
}

/** The values of a file that is JSON, or has a JSON value in every line. A line that cannot be parsed is reported and skipped. */
export function readValues(bytes: Uint8Array): { values: LocatedValue[]; warnings: string[] } {
  if (bytes.length > maxTraceBytes) throw invalid("is larger than 128 MiB");
  const text = new TextDecoder().decode(bytes);
  const lines = text.split("\n");
  const filled = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at]));
  const [first] = filled;
  if (first === undefined) throw invalid("is empty");
  const isLines = filled.length > 1 && parseStrictJson(lines[first] ?? "").ok;
  if (!isLines) {
    const whole = parseStrictJson(text);
    if (whole.ok) return { values: [{ value: whole.value, location: "" }], warnings: [] };
    if (filled.length === 1) throw invalid(`cannot be parsed: ${shownText(whole.problem, 200)}`);
  }
  const values: LocatedValue[] = [];
  const warnings: string[] = [];
  for (const at of filled) {
    const parsed = parseStrictJson(lines[at] ?? "");
    const location = `line ${at + 1}`;
    if (parsed.ok) values.push({ value: parsed.value, location });
    else warnings.push(`${location} cannot be parsed and was skipped: ${shownText(parsed.problem, 120)}`);
  }
  if (values.length === 0) throw invalid("contains neither JSON nor JSON lines");
  return { values, warnings: limitWarnings(warnings) };
}

/** The first warnings, and how many more there are. */
export function limitWarnings(warnings: readonly string[]): string[] {
  const rest = warnings.length - maxWarnings;
  return rest > 0 ? [...warnings.slice(0, maxWarnings), `and ${rest} more`] : [...warnings];
}

/** What is wrong with a trace, to follow the name of its file: `is empty`. */
export function invalid(message: string): UserError {
  return new UserError("trace-invalid", message, {
    hint: "set the format of the trace with --from: claude-code, openai or otel",
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
