import type { EventData } from "../../contract/agent-event.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** Adds up what the calls of a run took. Unknown usage is counted separately, never as zero. */
export class UsageSum {
  #inputTokens = 0;
  #outputTokens = 0;
  #costUsd: number | null = null;
  #known = 0;
  #untold = 0;

  add({ usage }: EventData<"model_response">): void {
    if (usage == null || usage.input_tokens === null || usage.output_tokens === null) this.#untold++;
    else this.#known++;
    this.#inputTokens += usage?.input_tokens ?? 0;
    this.#outputTokens += usage?.output_tokens ?? 0;
    if (usage?.cost_usd != null) this.#costUsd = (this.#costUsd ?? 0) + usage.cost_usd;
  }

  /** Null where no call said anything. */
  facts(): JsonObject {
    const isKnown = this.#known > 0;
    return {
      input_tokens: isKnown ? this.#inputTokens : null,
      output_tokens: isKnown ? this.#outputTokens : null,
      cost_usd: this.#costUsd,
      unknown_calls: this.#untold,
    };
  }
}
