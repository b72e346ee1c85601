import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { Json } from "../../../shared/json/json.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { readJsonPath, valueAtSteps } from "../../../shared/json/read-json-path.ts";
import { shownLines, shownText } from "../../../shared/text/visible-text.ts";
import { type ConversationFault, type ConversationView, check } from "./conversation-view.ts";

/** Whether the model went on from the results of its calls to a reply, and made use of them. */
export function checkContinuation(view: ConversationView): CheckResult[] {
  const checks: CheckResult[] = [];
  const hasResult = view.record.turns.some(({ kind }) => kind !== "final");
  if (hasResult || view.final === null) checks.push(checkFinal(view));
  return [...checks, ...checkUses(view)];
}

function checkFinal({ record, final, silence }: ConversationView): CheckResult {
  const name = "a final reply";
  if (final !== null) return check(name, {});
  const { end, problem } = record;
  const why = problem === null ? "" : `: ${shownText(problem, 300)}`;
  const fault = (code: ConversationFault["code"], message: string) =>
    check(name, { faults: [{ code, message: `${message}${why}`, expected: "a final reply", actual: end }] });
  if (end === "mock-exhausted") return fault("MockExhausted", "the script had no further turn");
  if (end === "mock-invalid") return fault("MockInvalid", "a turn of the script is invalid");
  if (silence !== null) return check(name, { unseen: silence });
  return fault("FinalMissing", `the conversation ended with ${end} and no final reply`);
}

function checkUses({ expect, calls, final, silence }: ConversationView): CheckResult[] {
  const { uses_result: paths = [] } = expect;
  const results = calls.map(({ call }) => (call.ok ? call.data : null));
  const occurs = occursIn(final ?? "");
  return paths.map((path) => {
    const name = `uses ${shownText(path)}`;
    if (final === null) return check(name, { unseen: silence ?? "there is no final reply" });
    const value = valueAtSteps(results, readJsonPath(path) ?? []);
    const values = checkableValues(value);
    const unused = values.filter((one) => !occurs(one));
    if (values.length > 0 && unused.length === 0) return check(name, {});
    const actual = shownLines(final, 300);
    if (values.length === 0)
      return check(name, {
        faults: [{ code: "ResultMissing", message: whyMissing(path, results), expected: path, actual }],
      });
    const words = shownText(JSON.stringify(unused[0]), 200);
    const message = `the final reply does not have ${words}, which is at ${shownText(path)}`;
    return check(name, { faults: [{ code: "ResultNotUsed", message, expected: value as Json, actual }] });
  });
}

function whyMissing(path: string, results: readonly Json[]): string {
  const shown = shownText(path);
  const index = readJsonPath(path)?.[0];
  if (typeof index !== "number" || index >= results.length) {
    const calls = results.length === 1 ? "there was one call" : `there were ${results.length || "no"} calls`;
    return `${shown} is not there: ${calls}`;
  }
  if (results[index] === null) return `${shown} is not there: call ${index + 1} has no result`;
  return `the result of call ${index + 1} has nothing at ${shown} to look for`;
}

/** Checks whether values occur in a text. Made once per text. */
export function occursIn(text: string): (value: unknown) => boolean {
  const whole = text.normalize();
  let numbers: Set<number> | null = null;
  return (value) => {
    switch (typeof value) {
      case "number":
        numbers ??= numbersIn(whole);
        return numbers.has(value);
      case "string":
        return hasText(whole, value.normalize());
      case "boolean":
        return new RegExp(`(?<![\\p{L}\\p{N}_])${value}(?![\\p{L}\\p{N}_])`, "iu").test(whole);
      default:
        return false;
    }
  };
}

const maxValues = 1000;

/** The parts of a value that can be searched for: non-blank strings, numbers and booleans, at any depth. */
export function checkableValues(value: unknown): unknown[] {
  const found: unknown[] = [];
  const open = [value];
  while (open.length > 0 && found.length < maxValues) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...next.toReversed());
    else if (isMap(next)) open.push(...Object.values(next).reverse());
    else if (typeof next === "string" ? next.trim() !== "" : next !== null && next !== undefined)
      found.push(next);
  }
  return found;
}

/** Literally, or as JSON writes it: a reply may be a plan. */
function hasText(whole: string, words: string): boolean {
  return whole.includes(words) || whole.includes(JSON.stringify(words).slice(1, -1));
}

// A version number or a date with dots is one word, not a number.
const numberWord = /\d+(?:\.\d+)*(?:[eE][+-]?\d+)?/g;

/** The numbers in a text: 3 is neither in 13 nor in 3.5, and 1,234 is 1234. */
function numbersIn(text: string): Set<number> {
  const plain = text
    .normalize("NFKC")
    .replaceAll("\u2212", "-")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = new Set<number>();
  for (const { 0: word, index } of plain.matchAll(numberWord)) {
    if (/^0\d/.test(word)) continue;
    const value = Number(word);
    if (!Number.isFinite(value)) continue;
    // After a letter or a digit it is a hyphen: `2024-3`, `A-3`.
    const isNegative = plain[index - 1] === "-" && !/[\p{L}\p{N}]/u.test(plain[index - 2] ?? "");
    found.add(isNegative ? -value : value);
  }
  return found;
}
