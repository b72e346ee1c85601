import type { HarnessFault } from "../../../contract/cause.ts";
import type { ChatMessage, Model, ModelFault } from "../../../contract/model.ts";
import type { PlanSource } from "./plan-source.ts";
import { repairMessages } from "./repair-messages.ts";

export interface ModelSourceOptions {
  model: Model;
  temperature: number;
  /** What every attempt begins with: the prompts of the skills, and the request. */
  opening: readonly ChatMessage[];
  /** Which sample it is, from 1: recordings keep them apart. */
  sample: number;
}

/** A model that makes plans. Each attempt sees the request and the attempt before it, none of the others. */
export function modelSource({ model, temperature, opening, sample }: ModelSourceOptions): PlanSource {
  return {
    canRepair: true,
    async generate(attempt, repair, signal) {
      const messages = [...opening, ...(repair === null ? [] : repairMessages(repair))];
      const said = await model.call({ messages, temperature, trial: sample, ordinal: attempt }, { signal });
      const ms = said.latencyMs;
      if (said.status === "failed")
        return { status: "failed", cause: causeOf(said.fault), message: said.message, ms };
      const { text: output, usage, answeredBy = null } = said;
      return { status: "generated", output, ms, tokens: usage?.totalTokens ?? null, answeredBy };
    },
  };
}

function causeOf(fault: ModelFault): HarnessFault {
  return fault === "not-recorded" ? "cassette-miss" : "provider-error";
}
