import type { Containment } from "../../contract/containment.ts";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** What is checked of every declared tool, in this order. */
export const toolChecks = [
  "loads",
  "refuses-bad-input",
  "returns-object",
  "deterministic",
  "claims-hold",
  "no-swallowed-error",
  "leaves-no-trace",
] as const;
export type ToolCheckName = (typeof toolChecks)[number];

/** `skipped`: there was nothing to check. `invalid`: the result is unknown, and not the fault of the tool. */
export const toolCheckStatuses = ["pass", "fail", "skipped", "invalid"] as const;
export type ToolCheckStatus = (typeof toolCheckStatuses)[number];

/** One thing that was seen. */
export interface ToolCheckDetail {
  /** The input it was seen with, as a user would look it up: `tests/word_count.eval.json two_words`. */
  input: string | null;
  /** JSON pointer into the arguments or the result, or a path in the folder of the skill. */
  place: string | null;
  reason: string;
}

export interface ToolCheckResult {
  check: ToolCheckName;
  status: ToolCheckStatus;
  /** One sentence: what was done, what is wrong, or why nothing could be checked. */
  message: string;
  details: readonly ToolCheckDetail[];
  /** The next thing to do; null where nothing has to be done. */
  hint: string | null;
}

export interface CheckedTool {
  skill: string;
  tool: string;
  /** As a user names it: `skills/notes#word_count`. */
  shown: string;
  /** As its manifest declares them; null where there are none. */
  hints: JsonObject | null;
  checks: readonly ToolCheckResult[];
}

/** A failed check fails the tool; else a check without a verdict leaves it without one. One that could not be called is skipped. */
export function toolVerdict({ checks }: Pick<CheckedTool, "checks">): ToolCheckStatus {
  const has = (status: ToolCheckStatus) => checks.some((check) => check.status === status);
  if (has("fail")) return "fail";
  if (has("invalid")) return "invalid";
  const isSkipped = checks.some(({ check, status }) => check === "returns-object" && status === "skipped");
  return isSkipped ? "skipped" : "pass";
}

/** The document of `tool check`. */
export interface ToolCheckReport {
  tools: readonly CheckedTool[];
  counts: {
    /** `untested`: nothing could be called, because a declared module is missing or no input is known. */
    tools: { total: number; passed: number; failed: number; untested: number; noVerdict: number };
    checks: Readonly<Record<ToolCheckStatus, number>>;
  };
  /** Skills that could not be loaded: exit code 2, whatever the others came to. */
  notLoaded: readonly NotLoaded[];
  containment: Containment;
  exitCode: 0 | 1 | 2 | 3;
}
