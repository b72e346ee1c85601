import { noTallies } from "../../../cases/grade/tallies.ts";
import type { CellTallies } from "../../../contract/agent-report.ts";
import type { ConversationRecord } from "../../../contract/conversation.ts";

/** What a conversation adds to the costs of a suite. The other tallies are about actions in JSON, which it has none of. */
export function spokenTallies({ turns, unused_turns }: ConversationRecord): CellTallies {
  const sums = { ...noTallies };
  let cost: number | null = 0;
  for (const [index, { usage }] of turns.entries()) {
    if (usage === null && unused_turns !== null) continue; // a script costs nothing
    cost = cost === null || usage === null || usage.costUsd === null ? null : cost + usage.costUsd;
    const { promptTokens: input = null, completionTokens: output = null } = usage ?? {};
    if (input === null || output === null) {
      sums.unknown_usage++;
      continue;
    }
    sums.input_tokens += input;
    sums.output_tokens += output;
    sums.tokens += input + output;
    if (turns[index - 1]?.kind === "rejected") sums.retry_tokens += input + output;
  }
  return { ...sums, cost_usd: cost };
}
