import type { StopReason } from "../../contract/agent-error.ts";
import type { AgentGuardrails } from "../../contract/agent-limits.ts";

/** What a turn came to, as far as going on is concerned. */
export interface TurnFact {
  /** The tool, or the type of an action that is no tool call. */
  doing: string;
  success: boolean;
  observation: string;
  /** A skill was loaded, or the status of a step is another. */
  hasMoved: boolean;
}

/** Notices a run that fails at the same thing again and again, or turns in circles. */
export class ProgressWatch {
  readonly #most: Pick<AgentGuardrails, "max_consecutive_failures" | "no_progress_window">;
  readonly #observations = new Set<string>();
  #failing = { doing: "", times: 0 };
  #idleTurns = 0;

  constructor(guardrails: Pick<AgentGuardrails, "max_consecutive_failures" | "no_progress_window">) {
    this.#most = guardrails;
  }

  /** Why the run should go no further; null where it may. */
  note({ doing, success, observation, hasMoved }: TurnFact): StopReason | null {
    const times = this.#failing.doing === doing ? this.#failing.times + 1 : 1;
    this.#failing = success ? { doing: "", times: 0 } : { doing, times };

    const isNew = !this.#observations.has(observation);
    this.#observations.add(observation);
    this.#idleTurns = hasMoved || isNew ? 0 : this.#idleTurns + 1;

    if (this.#failing.times >= this.#most.max_consecutive_failures) return "consecutive_failures";
    return this.#idleTurns >= this.#most.no_progress_window ? "no_progress" : null;
  }
}
