import type * as z from "zod";
import { jsonPath } from "../base/json-path.ts";
import { didYouMean } from "../base/nearest.ts";
import { shorten } from "../base/visible-text.ts";

export interface Problem {
  /** A whole sentence: `$.tasks[3].timeoutMs must be at least 1`. */
  message: string;
  jsonPath: string;
}

type Issue = z.core.$ZodIssue;

/** The first thing a schema did not like, in words, and where it stands in `value`. */
export function zodProblem(error: z.core.$ZodError, value?: unknown): Problem {
  const [first] = error.issues;
  if (first === undefined) return { message: "is not valid", jsonPath: "$" };
  return describe(first, [], value);
}

function describe(issue: Issue, before: readonly PropertyKey[], value: unknown): Problem {
  const path = [...before, ...issue.path];
  if (issue.code === "invalid_union") {
    const nested = deepestBranch(issue.errors);
    if (nested !== null) return describe(nested, path, value);
  }
  if (issue.code === "unrecognized_keys") path.push(issue.keys[0] ?? "");
  const place = jsonPath(path);
  return { message: `${place}${predicate(issue, valueAt(value, path))}`, jsonPath: place };
}

/** Of the ways a value could have been meant, the one that got furthest. */
function deepestBranch(branches: readonly (readonly Issue[])[]): Issue | null {
  const firsts = branches.flatMap((issues) => issues.slice(0, 1));
  return firsts.reduce<Issue | null>(
    (best, issue) => (issue.path.length > (best?.path.length ?? 0) ? issue : best),
    null,
  );
}

function predicate(issue: Issue, found: unknown): string {
  switch (issue.code) {
    case "unrecognized_keys":
      return " is not known";
    case "invalid_type":
      return found === undefined
        ? " is required and missing"
        : ` must be ${kindNames[issue.expected] ?? issue.expected}, not ${foundIn(found, issue.expected)}`;
    case "invalid_value":
      if (found === undefined) return " is required and missing";
      return ` may not be ${JSON.stringify(found)}: ${didYouMean(String(found), issue.values.map(String))}`;
    case "too_small":
      return issue.origin === "number"
        ? ` must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`
        : " must not be empty";
    case "too_big":
      return issue.origin === "number" ? ` must be at most ${issue.maximum}` : `: ${issue.message}`;
    default:
      return `: ${issue.message}`;
  }
}

const kindNames: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "a map",
  record: "a map",
  string: "text",
};

/** Text in the place of a number or a switch is shown, so that `"8"` and `eight` can be told apart; other text may be a secret. */
function foundIn(value: unknown, expected: string): string {
  const isPlain = ["number", "int", "boolean"].includes(expected);
  if (typeof value === "string" && isPlain) return `the text ${JSON.stringify(shorten(value, 40))}`;
  return kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? "text" : typeof value;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (at === null || typeof at !== "object" || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
