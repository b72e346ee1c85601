import type { AgentEvent } from "../../contract/agent-event.ts";
import type { CaseReport, CellTallies } from "../../contract/agent-report.ts";

/** What a suite adds up over the replies of a model, except triggering. */
export function replyTallies(events: readonly AgentEvent[]): Omit<CellTallies, "trigger"> {
  const turns = new Set<number>();
  const firstPass = new Set<number>();
  const extracted = new Set<number>();
  const finalValid = new Set<number>();
  const sums = { retry_tokens: 0, tokens: 0, unknown_usage: 0, input_tokens: 0, output_tokens: 0 };
  let cost: number | null = 0;
  for (const event of events) {
    if (event.type !== "model_response") continue;
    const { turn, data } = event;
    turns.add(turn);
    if (data.ok) {
      finalValid.add(turn);
      if (data.attempt <= 1) firstPass.add(turn);
      if (data.recovered === "extracted") extracted.add(turn);
    }
    // A call that nobody answered used nothing that anybody knows of.
    if (data.usage == null && data.raw.chars === null && !data.ok) continue;
    const { input_tokens, output_tokens, cost_usd } = data.usage ?? {};
    cost = cost === null || cost_usd == null ? null : cost + cost_usd;
    if (input_tokens == null || output_tokens == null) {
      sums.unknown_usage++;
      continue;
    }
    sums.input_tokens += input_tokens;
    sums.output_tokens += output_tokens;
    sums.tokens += input_tokens + output_tokens;
    if (data.attempt > 1) sums.retry_tokens += input_tokens + output_tokens;
  }
  return {
    turns: turns.size,
    first_pass: firstPass.size,
    extracted: extracted.size,
    final_valid: finalValid.size,
    ...sums,
    cost_usd: cost,
  };
}

/** Of a case without a model. */
export const noTallies: CellTallies = { ...replyTallies([]), trigger: null };

/** What a case did of which nothing was seen. */
export const noStats: CaseReport["stats"] = {
  turns: 0,
  tool_calls: 0,
  script_runs: 0,
  resource_loads: 0,
  model_calls: 0,
  stop_reason: null,
  degraded: null,
  isolation: null,
};
