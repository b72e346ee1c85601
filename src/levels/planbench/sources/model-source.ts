import type { HarnessFault } from "../../../contract/cause.ts";
import type { ChatMessage, Model, ModelFault } from "../../../contract/model.ts";
import { maxViolations } from "../../../contract/output-contract.ts";
import type { PlanSource, PlanToRepair } from "./plan-source.ts";

interface ModelSourceOptions {
  model: Model;
  temperature: number;
  /** What every attempt begins with: the prompts of the skills, and the request. */
  opening: readonly ChatMessage[];
  /** Which sample it is, from 1, so that recordings distinguish them. */
  sample: number;
}

/** A model that makes plans. Each attempt sees the request and only the previous attempt. */
export function modelSource({ model, temperature, opening, sample }: ModelSourceOptions): PlanSource {
  return {
    canRepair: true,
    async generate(attempt, repair, signal) {
      const messages = [...opening, ...(repair === null ? [] : repairMessages(repair))];
      const outcome = await model.call(
        { messages, temperature, trial: sample, ordinal: attempt },
        { signal },
      );
      const ms = outcome.latencyMs;
      if (outcome.status === "failed")
        return { status: "failed", cause: faultCause(outcome.fault), message: outcome.message };
      const { text: output, usage, answeredBy = null } = outcome;
      return { status: "generated", output, ms, tokens: usage?.totalTokens ?? null, answeredBy };
    },
  };
}

function faultCause(fault: ModelFault): HarnessFault {
  return fault === "not-recorded" ? "cassette-miss" : "provider-error";
}

interface Opening {
  /** Of the selected skills, the best first. */
  prompts: readonly string[];
  /** The program the plan is for; null where the case names none. */
  host: string | null;
  input: string;
}

/** What every attempt at a plan begins with: the rules of the skills, where the plan is for, and the request. */
export function planOpening({ prompts, host, input }: Opening): ChatMessage[] {
  const rules = [
    ...prompts.filter((prompt) => prompt.trim() !== ""),
    ...(host === null ? [] : [`host_app: ${host}`]),
  ];
  return [
    ...(rules.length === 0 ? [] : [{ role: "system" as const, text: rules.join("\n\n") }]),
    { role: "user", text: input },
  ];
}

/** What follows the request when a plan is to be repaired: the previous output, what was wrong with it, and nothing else. */
function repairMessages({ output, violations }: PlanToRepair): ChatMessage[] {
  const lines = violations
    .slice(0, maxViolations)
    .map(({ pointer, reason }) => `- ${pointer || "(whole output)"}: ${reason}`);
  return [
    // Providers refuse an empty turn.
    { role: "assistant", text: output.trim() === "" ? "(empty)" : output },
    { role: "user", text: `Violations:\n${lines.join("\n")}` },
  ];
}
