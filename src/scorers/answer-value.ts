import type { Json } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { shortenWords } from "../shared/text/visible-text.ts";

const wrappers = ["result", "output", "answer"] as const;

/** The answer inside `{"result": …}`, `{"output": …}` or `{"answer": …}`, unless an object is what is expected. */
export function singleAnswer(output: Json, expected: Json): Json {
  if (!isMap(output) || isMap(expected)) return output;
  const present = wrappers.filter((wrapper) => Object.hasOwn(output, wrapper));
  const [only] = present;
  return only !== undefined && present.length === 1 ? (output[only] as Json) : output;
}

/**
 * A hint if an expectation and an answer differ only by a wrapper such as `{"result": …}` around one of them; else null.
 */
export function wrapperHint(
  output: Json,
  { expected, isMatch }: { expected?: Json; isMatch: (output: Json, expected?: Json) => boolean },
): string | null {
  const outputWrapper = onlyWrapper(output);
  if (outputWrapper !== null && isMatch(outputWrapper.inside, expected))
    return `the answer is wrapped in {"${outputWrapper.name}": …}: expect the wrapper too, or return the bare value`;
  const expectedWrapper = expected === undefined ? null : onlyWrapper(expected);
  if (expectedWrapper !== null && isMatch(output, expectedWrapper.inside))
    return `the expected value is wrapped in {"${expectedWrapper.name}": …} and the answer is not: expect the bare value`;
  return null;
}

function onlyWrapper(value: Json): { name: string; inside: Json } | null {
  if (!isMap(value)) return null;
  const [name, ...others] = Object.keys(value);
  if (name === undefined || others.length > 0 || !wrappers.some((wrapper) => wrapper === name)) return null;
  return { name, inside: value[name] as Json };
}

/** A value as a reason names it: scalars as JSON, lists and objects by their size only. */
export function describeValue(value: Json): string {
  if (value === null || typeof value !== "object") return shortenWords(JSON.stringify(value), 80);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return `an object with ${pluralize(Object.keys(value).length, "member")}`;
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number in a text, spaces around it aside; null for anything else, `""`, `0x1f` and `Infinity` included. */
export function readNumber(text: string): number | null {
  const trimmed = text.trim();
  if (!decimal.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}
