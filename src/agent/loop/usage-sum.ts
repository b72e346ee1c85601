import type { EventData } from "../../contract/agent-event.ts";
import type { JsonObject } from "../../contract/json.ts";

/** Adds up what the calls of a run took. What nobody told is counted apart, never as nothing. */
export class UsageSum {
  #inputTokens = 0;
  #outputTokens = 0;
  #costUsd: number | null = null;
  #told = 0;
  #untold = 0;

  add({ usage }: EventData<"model_response">): void {
    if (usage == null || usage.input_tokens === null || usage.output_tokens === null) this.#untold++;
    else this.#told++;
    this.#inputTokens += usage?.input_tokens ?? 0;
    this.#outputTokens += usage?.output_tokens ?? 0;
    if (usage?.cost_usd != null) this.#costUsd = (this.#costUsd ?? 0) + usage.cost_usd;
  }

  /** Null where no call said anything. */
  facts(): JsonObject {
    const isTold = this.#told > 0;
    return {
      input_tokens: isTold ? this.#inputTokens : null,
      output_tokens: isTold ? this.#outputTokens : null,
      cost_usd: this.#costUsd,
      unknown_calls: this.#untold,
    };
  }
}
