import { mapIn, numberIn, textIn } from "./read-values.ts";
import type { Trace, TraceUsage } from "./trace.ts";

/** What a call is answered with that somebody did not allow. A program that failed is answered with its exit code first. */
export const refusal =
  /^(?:<tool_use_error>)?(?:Claude requested permissions? to |Permission to use \S+ .*has been denied|Permission to use \S+ has been denied|The user doesn't want to (?:proceed with this tool use|take this action)|Tool permission (?:request|stream) (?:failed|closed|aborted)|\[Request interrupted by user|User rejected tool use)/s;

/** Texts in the name of the user that nobody typed. */
export const notSpoken =
  /^\s*<(?:local-command-|command-message|command-name|command-args|bash-|system-reminder|task-notification|user-memory-input|ide_)/;

/** Before the instructions of a skill that it loads, the program says where they are from. */
export function readFolder(text: string): string | null {
  const start = "Base directory for this skill: ";
  if (!text.startsWith(start)) return null;
  return textIn(
    text
      .slice(start.length, start.length + 4096)
      .split("\n", 1)[0]
      ?.trim(),
  );
}

/** In epoch milliseconds. */
export function readTime({ timestamp }: Record<string, unknown>): number | null {
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

export function readUsage(value: unknown): TraceUsage | null {
  const usage = mapIn(value);
  const output = numberIn(usage.output_tokens);
  const fresh = numberIn(usage.input_tokens);
  if (fresh === null && output === null) return null;
  const cached =
    (numberIn(usage.cache_read_input_tokens) ?? 0) + (numberIn(usage.cache_creation_input_tokens) ?? 0);
  return { input_tokens: fresh === null ? null : fresh + cached, output_tokens: output, cost_usd: null };
}

export function readTotal(result: Record<string, unknown>): TraceUsage | null {
  const usage = readUsage(result.usage);
  const cost = numberIn(result.total_cost_usd);
  if (usage === null && cost === null) return null;
  return { input_tokens: null, output_tokens: null, ...usage, cost_usd: cost };
}

export function readStop({ subtype, is_error }: Record<string, unknown>): Trace["stop"] {
  if (subtype === "error_max_turns")
    return { status: "stopped", reason: "budget_exhausted", budget: "max_turns" };
  if (subtype === "error_max_budget_usd")
    return { status: "stopped", reason: "budget_exhausted", budget: "max_cost_usd" };
  if (is_error === true || subtype !== "success") return { status: "failed", reason: "internal_error" };
  return { status: "completed", reason: "final_answer" };
}
