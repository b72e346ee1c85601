import type { JudgeName } from "../../contract/trigger-report.ts";
import { fraction } from "../../report/text/format-numbers.ts";

/** How often a judge was asked, and what share of yes decides; reports of others may not say. */
type Asked = Partial<Record<"repeats" | "threshold", number | undefined>>;

/** Who judged queries, how, and why it was this one: `model claude-… (8 repeats, threshold 0.5), eval.yaml`. */
export function describeJudge(judge: JudgeName, asked: Asked = {}): string {
  return `${judgeLabel(judge)}${howAsked(judge, asked)}${judge.why === undefined || judge.why === "" ? "" : `, ${judge.why}`}`;
}

/** The kind with the model that spoke: `catalog claude-…`, `router (lexical)`. */
function judgeLabel({ kind, model, label = kind }: JudgeName): string {
  return model === null || label.includes(model) ? label : `${label} ${model}`;
}

/** A router always says the same: how often it was asked is nothing to know. */
function howAsked({ kind }: JudgeName, { repeats, threshold }: Asked): string {
  if (repeats === undefined || threshold === undefined || (kind === "router" && repeats === 1)) return "";
  return repeats === 1 ? " (asked once)" : ` (${repeats} repeats, threshold ${fraction(threshold)})`;
}
