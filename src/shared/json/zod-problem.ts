import type * as z from "zod";
import { didYouMean } from "../text/nearest.ts";
import { shorten } from "../text/visible-text.ts";
import { kindOfValue } from "./json-values.ts";
import { jsonPath } from "./locations.ts";

export interface Problem {
  /** A whole sentence: `$.tasks[3].timeoutMs must be at least 1`. */
  message: string;
  jsonPath: string;
  /** The way there from the root. */
  steps: readonly PropertyKey[];
  /** The sentence without the path: `must be at least 1`. */
  reason: string;
}

type Issue = z.core.$ZodIssue;

/** The first thing a schema rejected, in words, and where it is in `value`. */
export function zodProblem(error: z.core.$ZodError, value?: unknown): Problem {
  const [first] = zodProblems(error, value);
  return first ?? { message: "is not valid", jsonPath: "$", steps: [], reason: "is not valid" };
}

/** Everything a schema rejected. */
export function zodProblems(error: z.core.$ZodError, value?: unknown): Problem[] {
  return error.issues.flatMap((issue) => describe(issue, [], value));
}

function describe(issue: Issue, before: readonly PropertyKey[], value: unknown): Problem[] {
  const path = [...before, ...issue.path];
  if (issue.code === "invalid_union") {
    const meant = likeliestBranch(issue.errors);
    if (meant !== null) return meant.flatMap((nested) => describe(nested, path, value));
  }
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => problemAt(issue, [...path, key], value));
  return [problemAt(issue, path, value)];
}

function problemAt(issue: Issue, path: readonly PropertyKey[], value: unknown): Problem {
  const shownPath = jsonPath(path);
  const words = predicate(issue, valueAt(value, path));
  return {
    message: `${shownPath}${words}`,
    jsonPath: shownPath,
    steps: path,
    reason: words.replace(/^:? /, ""),
  };
}

/** Of the ways a value could have been meant, the one that got furthest; null where it is none of them by its type alone. */
function likeliestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | null {
  let best: { issues: readonly Issue[]; reach: number } | null = null;
  for (const issues of branches) {
    const [first] = issues;
    if (first === undefined || isOtherType(first)) continue;
    const reach = first.path.length;
    if (best === null || reach > best.reach) best = { issues, reach };
  }
  return best?.issues ?? null;
}

function isOtherType(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.path.length === 0;
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
      return ` may not be ${shorten(JSON.stringify(found), 80)}: ${didYouMean(describeValue(found), issue.values.map(String))}`;
    case "invalid_format":
      // A sentence of the schema itself says it better.
      return issue.message.startsWith("Invalid") && issue.pattern !== undefined
        ? ` must match ${issue.pattern}`
        : `: ${issue.message}`;
    case "too_small":
      return issue.origin === "number"
        ? ` must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`
        : " must not be empty";
    case "too_big":
      if (issue.origin === "string") return ` must have at most ${issue.maximum} characters`;
      return issue.origin === "number" ? ` must be at most ${issue.maximum}` : `: ${issue.message}`;
    case "invalid_union": {
      if ("options" in issue && issue.options !== undefined)
        return found === undefined
          ? " is required and missing"
          : ` may not be ${shorten(JSON.stringify(found), 80)}: ${didYouMean(describeValue(found), issue.options.map(String))}`;
      if (found === undefined) return " is required and missing";
      const kinds = issue.errors.flatMap(([first]) =>
        first?.code === "invalid_type" ? [first.expected] : [],
      );
      const names = [...new Set(kinds.map((kind) => kindNames[kind] ?? kind))];
      return names.length === 0
        ? `: ${issue.message}`
        : ` must be ${names.join(" or ")}, not ${foundKind(found)}`;
    }
    default:
      return `: ${issue.message}`;
  }
}

/** A map or a list is not shown; one with a `toString` of its own could not even be converted. */
function describeValue(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
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

/** Text instead of a number or a boolean is shown, to distinguish `"8"` from `eight`; other text may be a secret. */
function foundIn(value: unknown, expected: string): string {
  const isPlain = ["number", "int", "boolean"].includes(expected);
  if (typeof value === "string" && isPlain) return `the text ${JSON.stringify(shorten(value, 40))}`;
  return foundKind(value);
}

/** Most of these values come from JSON, where nothing is written as null. */
function foundKind(value: unknown): string {
  return value === null ? "null" : kindOfValue(value);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (at === null || typeof at !== "object" || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}
