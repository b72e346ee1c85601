import type { Json } from "../../shared/json/json.ts";
import { formatValue } from "./explain-cell.ts";

/** One difference between two values. `path` is `$` for the whole, `$.result[2].name` inside it. */
export interface Difference {
  path: string;
  /** `missing`: expected and not there; `extra`: there and not expected. */
  kind: "changed" | "missing" | "extra";
  expected?: Json;
  actual?: Json;
}

/** Every difference between two values, in the order of the expected one. */
export function diffJson(expected: Json, actual: Json, path = "$"): Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, at) => member(expected, actual, at, `${path}[${at}]`)).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return names.flatMap((name) => member(expected, actual, name, `${path}${memberPath(name)}`));
  }
  return isSame(expected, actual) ? [] : [{ path, kind: "changed", expected, actual }];
}

function member(
  expected: Json[] | Record<string, Json>,
  actual: Json[] | Record<string, Json>,
  name: string | number,
  path: string,
): Difference[] {
  const isExpected = Object.hasOwn(expected, name);
  const isActual = Object.hasOwn(actual, name);
  const [left, right] = [Reflect.get(expected, name) as Json, Reflect.get(actual, name) as Json];
  if (!isActual) return [{ path, kind: "missing", expected: left }];
  if (!isExpected) return [{ path, kind: "extra", actual: right }];
  return diffJson(left, right, path);
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(a: Json, b: Json): boolean {
  return Object.is(a, b) || (typeof a === "number" && a === b);
}

function memberPath(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

const maxValueLines = 20;
const contextLines = 2;

/**
 * Differences as the lines of a patch: `- ` before what was expected, `+ ` before what came instead, the path above them where it is
 * not the whole value. Texts of several lines are several lines.
 */
export function patchLines(expected: Json, actual: Json, maxDifferences = 20): string[] {
  const all = diffJson(expected, actual);
  const more = all.length - maxDifferences;
  return [
    ...all.slice(0, maxDifferences).flatMap(linesOfDifference),
    ...(more > 0 ? [`  … and ${more} more ${more === 1 ? "difference" : "differences"}`] : []),
  ];
}

function linesOfDifference({ path, kind, expected, actual }: Difference): string[] {
  const note = kind === "missing" ? " is missing" : kind === "extra" ? " was not expected" : "";
  const head = path === "$" ? [] : [`  ${path}${note}`];
  if (typeof expected === "string" && typeof actual === "string" && /\n/.test(`${expected}${actual}`))
    return [...head, ...changedLines(expected.split(/\r?\n/), actual.split(/\r?\n/))];
  return [
    ...head,
    ...(kind === "extra" ? [] : marked("- ", valueLines(expected ?? null))),
    ...(kind === "missing" ? [] : marked("+ ", valueLines(actual ?? null))),
  ];
}

/** Two texts line by line: what they share at both ends is left out but for a little around. */
function changedLines(expected: readonly string[], actual: readonly string[]): string[] {
  const shortest = Math.min(expected.length, actual.length);
  let before = 0;
  while (before < shortest && expected[before] === actual[before]) before++;
  let after = 0;
  while (after < shortest - before && expected.at(-1 - after) === actual.at(-1 - after)) after++;
  const end = expected.length - after;
  const unchanged = (from: number, to: number) => expected.slice(from, to).map((line) => `  ${line}`);
  return [
    ...unchanged(Math.max(0, before - contextLines), before),
    ...marked("- ", expected.slice(before, end)),
    ...marked("+ ", actual.slice(before, actual.length - after)),
    ...unchanged(end, Math.min(expected.length, end + contextLines)),
  ];
}

function marked(sign: string, lines: readonly string[]): string[] {
  const more = lines.length - maxValueLines;
  const shown = lines.slice(0, maxValueLines).map((line) => `${sign}${line}`);
  return more > 0 ? [...shown, `${sign}… ${more} more ${more === 1 ? "line" : "lines"}`] : shown;
}

/** A text in quotes, so that `"2"` is not taken for 2, unless it needs more than quotes; other values as JSON. */
function valueLines(value: Json): string[] {
  if (typeof value === "string") {
    const quoted = JSON.stringify(value);
    return quoted.length === value.length + 2 ? [quoted] : value.split(/\r?\n/);
  }
  const short = compactJson(value);
  return short.length <= 100 && !short.includes("\\n") ? [short] : formatValue(value).split("\n");
}

/** JSON on one line with a space after colons and commas: `{"n": [1, 2]}`. */
export function compactJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${compactJson(one)}`);
  return `{${members.join(", ")}}`;
}
