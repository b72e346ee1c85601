import { type Fault, idleScores, toPass } from "../../../cases/grade/dimension.ts";
import { toFailure } from "../../../cases/grade/failures.ts";
import { noStats, noTallies } from "../../../cases/grade/tallies.ts";
import type { PureEvidence } from "../../../contract/agent-details.ts";
import type { CaseReport } from "../../../contract/agent-report.ts";
import type { LoadedPureCase } from "../../../contract/loaded-case.ts";
import type { PureExpect } from "../../../contract/pure-case.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { graderVersion } from "./verdict.ts";

/** The result of testing a pure function. */
interface PureFindings {
  /** Where its result differs from what the case expects. */
  faults: readonly Pick<Fault, "code" | "message" | "expected" | "actual">[];
  /** Why there is no verdict; null or absent where there is one. */
  noVerdict?: { code: string; message: string } | null | undefined;
  warnings?: readonly string[] | undefined;
}

/** The report on a case without an agent: one score, `unit`, and seven dimensions that do not concern it. */
export function pureReport(
  { suite, level, kind, case: written }: LoadedPureCase,
  { faults, noVerdict = null, warnings = [] }: PureFindings,
  trial = 1,
): CaseReport {
  const status = faults.length > 0 ? "fail" : noVerdict !== null ? "not_observed" : "pass";
  const name = faults.length === 0 ? kind : `${kind}: ${pluralize(faults.length, "difference")}`;
  const check = { name, status, exercised: status !== "not_observed" } as const;
  return {
    suite,
    case_id: written.id,
    run_id: null,
    level,
    trial,
    model: "none",
    status: status === "not_observed" ? "invalid" : status,
    pass: toPass(status),
    no_verdict: status === "not_observed" ? noVerdict : null,
    scores: { ...idleScores(), unit: { status, pass: toPass(status), checks: [check] } },
    failures: faults.map((fault) => toFailure("unit", fault)),
    not_exercised: [],
    warnings: [...warnings],
    stats: noStats,
    tallies: noTallies,
    quotes: {},
    grader: graderVersion,
  };
}

/** Compares the result of a pure function with what its case expects. */
export function judgePure({ test }: Pick<LoadedPureCase, "test">, evidence: PureEvidence): PureFindings {
  if ("noVerdict" in evidence) return { faults: [], noVerdict: evidence.noVerdict };
  const faults = evidence.actual.flatMap((actual) => faultsIn(test, actual));
  return { faults };
}

function faultsIn(test: LoadedPureCase["test"], actual: JsonObject): PureFindings["faults"] {
  switch (test.kind) {
    case "frontmatter":
      return judge(test.expect, actual, isFrontmatter);
    case "json_stream":
    case "json_extract":
      return judge(test.expect, actual, isReading);
    case "path":
    case "section":
      return judge(test.expect, actual, hasAll);
    case "truncate":
      return judge(withWholeHashes(test.expect), actual, hasAll);
    default:
      return test satisfies never;
  }
}

function judge<Expect extends object>(
  expect: Expect,
  actual: JsonObject,
  fits: (expect: Expect, actual: JsonObject) => boolean,
): PureFindings["faults"] {
  if (fits(expect, actual)) return [];
  const message = `expected ${shown(expect)}, got ${shown(actual)}`;
  return [{ code: "UnitMismatch", message, expected: expect as JsonObject, actual }];
}

function shown(value: unknown): string {
  return shownText(canonicalJson(value), 300);
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** Whether every expected member matches; members that are not expected may be anything. */
function hasAll(expect: object, actual: JsonObject): boolean {
  return Object.entries(expect).every(([key, value]) => isSame(value, actual[key] ?? null));
}

/** A value that was read, or why none was. */
function isReading(
  { error, ...expected }: PureExpect<"json_stream"> | PureExpect<"json_extract">,
  actual: JsonObject,
): boolean {
  if (error === undefined) return hasAll(expected, actual);
  if (typeof actual.error !== "string") return false;
  return error === true || actual.code === error || actual.error.includes(error);
}

function withWholeHashes(expect: PureExpect<"truncate">): JsonObject {
  const whole = (value: Json) =>
    typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? `sha256:${value}` : value;
  const { text, truncated, ...hashes } = expect;
  return {
    ...(text !== undefined && { text }),
    ...(truncated !== undefined && { truncated }),
    ...Object.fromEntries(Object.entries(hashes).map(([key, hash]) => [key, whole(hash ?? null)])),
  };
}

function isFrontmatter({ value, codes }: PureExpect<"frontmatter">, actual: JsonObject): boolean {
  const found = actual.codes as string[];
  if (value !== undefined && !isSame(value, actual.value)) return false;
  if (codes === undefined) return true;
  return codes.length === 0 ? found.length === 0 : codes.every((code) => found.includes(code));
}
