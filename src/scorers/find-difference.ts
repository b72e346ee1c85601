import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { describeValue } from "./answer-value.ts";

export type SameText = (expected: string, actual: string) => boolean;

/** Says where two JSON values differ, or null where they do not. Looks at own members only, and never recurses. */
export function findDifference(expected: Json, actual: Json, sameText: SameText): string | null {
  const open: Pair[] = [{ expected, actual, path: "$" }];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const { expected, actual, path } = pair;
    const difference =
      Array.isArray(expected) && Array.isArray(actual)
        ? compareLists(expected, actual, path)
        : isMap(expected) && isMap(actual)
          ? compareObjects(expected, actual, path)
          : compareScalars(expected, actual, path);
    if (difference !== null) return difference;
  }
  return null;

  function compareLists(expected: Json[], actual: Json[], path: string): string | null {
    if (expected.length !== actual.length)
      return `${at(path)}expected ${describeValue(expected)}, got ${describeValue(actual)}`;
    for (const [index, item] of expected.entries()) {
      const difference = compareMember(item, actual[index] as Json, () => `${path}[${index}]`);
      if (difference !== null) return difference;
    }
    return null;
  }

  function compareObjects(expected: JsonObject, actual: JsonObject, path: string): string | null {
    const keys = Object.keys(expected);
    const missing = keys.find((key) => !Object.hasOwn(actual, key));
    if (missing !== undefined) return `${at(path)}member ${name(missing)} is missing`;
    const extra = Object.keys(actual).find((key) => !Object.hasOwn(expected, key));
    if (extra !== undefined) return `${at(path)}unexpected member ${name(extra)}`;
    for (const key of keys) {
      const difference = compareMember(expected[key] as Json, actual[key] as Json, () => member(path, key));
      if (difference !== null) return difference;
    }
    return null;
  }

  /** Scalars at once, the rest later: so paths are only written for what has an inside or differs. */
  function compareMember(expected: Json, actual: Json, path: () => string): string | null {
    if (isScalar(expected) && isScalar(actual))
      return areSame(expected, actual) ? null : compareScalars(expected, actual, path());
    open.push({ expected, actual, path: path() });
    return null;
  }

  function compareScalars(expected: Json, actual: Json, path: string): string | null {
    if (areSame(expected, actual)) return null;
    return `${at(path)}expected ${describeValue(expected)}, got ${describeValue(actual)}`;
  }

  function areSame(expected: Json, actual: Json): boolean {
    return typeof expected === "string" && typeof actual === "string"
      ? sameText(expected, actual)
      : expected === actual;
  }
}

interface Pair {
  expected: Json;
  actual: Json;
  path: string;
}

function at(path: string): string {
  return path === "$" ? "" : `at ${shorten(path, 200)}: `;
}

function name(key: string): string {
  return shorten(JSON.stringify(key), 60);
}

function member(path: string, key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== "object";
}
