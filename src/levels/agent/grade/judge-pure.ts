import type { PureEvidence } from "../../../contract/agent-details.ts";
import type { LoadedPureCase } from "../../../contract/loaded-case.ts";
import type { PureExpect } from "../../../contract/pure-case.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import type { PureFindings } from "./grade-pure.ts";

/** Holds what a pure function gave against what its case expects. */
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

/** Whether what is asked for is so; what is not asked for may be anything. */
function hasAll(expect: object, actual: JsonObject): boolean {
  return Object.entries(expect).every(([key, value]) => isSame(value, actual[key] ?? null));
}

/** A value that was read, or why none was. */
function isReading(
  { error, ...asked }: PureExpect<"json_stream"> | PureExpect<"json_extract">,
  actual: JsonObject,
): boolean {
  if (error === undefined) return hasAll(asked, actual);
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
