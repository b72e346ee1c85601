import type { JudgeName, TriggerResult } from "../contract/trigger-report.ts";
import { fraction } from "./format-numbers.ts";

/** Who judged queries, how, and why it was this one: `model claude-… (8 repeats, threshold 0.5), eval.yaml`. */
export function describeJudge(
  judge: JudgeName,
  asked?: Pick<TriggerResult, "repeats" | "threshold">,
): string {
  return `${judgeLabel(judge)}${howAsked(judge, asked)}${judge.why === undefined || judge.why === "" ? "" : `, ${judge.why}`}`;
}

/** The kind with the model that spoke: `catalog claude-…`, `router (lexical)`. */
export function judgeLabel({ kind, model, label = kind }: JudgeName): string {
  return model === null || label.includes(model) ? label : `${label} ${model}`;
}

/** A router always says the same: how often it was asked is nothing to know. */
function howAsked(
  { kind }: JudgeName,
  asked: Pick<TriggerResult, "repeats" | "threshold"> | undefined,
): string {
  if (asked === undefined || (kind === "router" && asked.repeats === 1)) return "";
  return asked.repeats === 1
    ? " (asked once)"
    : ` (${asked.repeats} repeats, threshold ${fraction(asked.threshold)})`;
}
