import type { Clock } from "../base/clock.ts";
import { longestDemandMs } from "../base/retry-after.ts";
import type { Model, ModelFault, ModelOutcome } from "../contract/model.ts";

export interface RetryOptions {
  /** How many more tries a call gets. */
  retries: number;
  clock: Clock;
  /** 0..1: spreads the pauses, so that calls that failed together do not come back together. */
  random: () => number;
}

/** A model that is asked again when the provider, not the question, was at fault. */
export function retrying(model: Model, { retries, clock, random }: RetryOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, { signal, onText }) {
      let isHeard = false;
      const hear = (piece: string) => {
        isHeard = true;
        onText?.(piece);
      };
      for (let tries = 1; ; tries++) {
        const outcome = await model.call(request, { signal, onText: onText && hear });
        if (outcome.status === "answered") return outcome;
        // What was heard cannot be taken back: a second reply would be added to half of the first.
        if (isHeard || !mayPass.has(outcome.fault) || tries > retries) return withTries(outcome, tries);
        const { message, retryAfterMs } = outcome;
        if (retryAfterMs !== undefined && retryAfterMs > longestDemandMs) {
          const demand = `it asks for a pause of more than ${longestDemandMs / 1000} s`;
          return withTries({ ...outcome, message: `${message}; ${demand}` }, tries);
        }
        await clock.sleep(pauseMs(tries, retryAfterMs, random), signal);
      }
    },
  };
}

const mayPass: ReadonlySet<ModelFault> = new Set(["timeout", "rate-limited", "unavailable"]);
const firstPauseMs = 500;
const longestPauseMs = 8000;

function pauseMs(tries: number, demandMs: number | undefined, random: () => number): number {
  if (demandMs !== undefined) return demandMs;
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
}

function withTries(outcome: ModelOutcome & { status: "failed" }, tries: number): ModelOutcome {
  return tries === 1 ? outcome : { ...outcome, message: `${outcome.message} (after ${tries} tries)` };
}
