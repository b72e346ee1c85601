import type { ToolOutcome } from "../../contract/tool-host.ts";
import { toEnvelope } from "../../contract/tool-result.ts";
import type { ToolCheckDetail, ToolCheckResult } from "./tool-check.ts";

/** How a check of a tool ended. */
export type CheckEnd = Omit<ToolCheckResult, "check">;

export function passed(message: string, details: readonly ToolCheckDetail[] = []): CheckEnd {
  return { status: "pass", message, details, hint: null };
}

export function failed(message: string, hint: string, details: readonly ToolCheckDetail[] = []): CheckEnd {
  return { status: "fail", message, details, hint };
}

/** There was nothing to check. */
export function skipped(reason: string): CheckEnd {
  return { status: "skipped", message: reason, details: [], hint: null };
}

/** We could not find out. */
export function undecided(message: string): CheckEnd {
  return {
    status: "invalid",
    message,
    details: [],
    hint: "try again; `eval-skills doctor` checks the machine",
  };
}

/** What a model would read about a call that failed. */
export function errorMessage(outcome: ToolOutcome): string {
  const envelope = toEnvelope(outcome);
  if (envelope !== null && "error" in envelope) return envelope.error.message;
  return "message" in outcome ? outcome.message : "";
}

/** The module that a tool lacks, if its manifest declares it; else null. */
export function missingModule(outcome: ToolOutcome, declared: readonly string[]): string | null {
  const missing = /ModuleNotFoundError: No module named '([\w.]+)'/.exec(errorMessage(outcome))?.[1];
  const top = missing?.split(".", 1)[0];
  if (top === undefined) return null;
  return declared.some((name) => name === top || name === missing) ? top : null;
}

/** Whether a call ended in a way that says nothing about the tool. */
export function isUndecided(outcome: ToolOutcome): boolean {
  return outcome.status !== "answered" && toEnvelope(outcome) === null;
}
