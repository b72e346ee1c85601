import type { Model, ModelFault } from "../contract/model.ts";
import type { Clock } from "../shared/async/clock.ts";
import { longestDemandMs } from "../shared/network/http.ts";
import type { FailedTry } from "./provider-connection.ts";

/** A model that retries when the provider, not the request, was at fault. */
export function retrying(model: Model, options: RetryOptions): Model {
  return {
    id: model.id,
    identity: model.identity,
    async call(request, { signal, onText }) {
      let hasEmitted = false;
      const onPiece = (piece: string) => {
        hasEmitted = true;
        onText?.(piece);
      };
      return tryAgain(() => model.call(request, { signal, onText: onText && onPiece }), {
        ...options,
        signal,
        // Emitted text cannot be taken back: a second reply would be appended to half of the first.
        isSpoilt: () => hasEmitted,
      });
    },
  };
}

interface RetryOptions {
  /** How many retries a call gets. */
  retries: number;
  clock: Clock;
  /** 0..1: spreads the pauses, so that calls that failed together do not come back together. */
  random: () => number;
}

interface TryOptions extends RetryOptions {
  signal: AbortSignal;
  /** A provider that requests a longer pause than this is not retried. */
  patienceMs?: number;
  /** Whether a retry would do harm. */
  isSpoilt?: () => boolean;
}

/** Retries until there is an answer, a permanent failure, or no attempt is left. */
export async function tryAgain<Answer extends { status: string }>(
  attempt: () => Promise<Answer | FailedTry>,
  { retries, clock, random, signal, patienceMs = longestDemandMs, isSpoilt = () => false }: TryOptions,
): Promise<Answer | FailedTry> {
  for (let tries = 1; ; tries++) {
    const outcome = await attempt();
    if (!isFailed(outcome)) return outcome;
    if (isSpoilt() || !mayPass.has(outcome.fault) || tries > retries) return withTries(outcome, tries);
    const { message, retryAfterMs } = outcome;
    if (retryAfterMs !== undefined && retryAfterMs > patienceMs) {
      const demand = `it asks to wait more than ${patienceMs / 1000} s`;
      return withTries({ ...outcome, message: `${message}; ${demand}` }, tries);
    }
    await clock.sleep(pauseMs(tries, retryAfterMs, random), signal);
  }
}

const mayPass: ReadonlySet<ModelFault> = new Set(["timeout", "rate-limited", "unavailable"]);
const firstPauseMs = 500;
const longestPauseMs = 8000;

function pauseMs(tries: number, demandMs: number | undefined, random: () => number): number {
  if (demandMs !== undefined) return demandMs;
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (tries - 1));
}

function isFailed(outcome: { status: string }): outcome is FailedTry {
  return outcome.status === "failed";
}

function withTries(outcome: FailedTry, tries: number): FailedTry {
  return tries === 1 ? outcome : { ...outcome, message: `${outcome.message} (after ${tries} tries)` };
}

/** Failures in a row, each after several attempts, after which a model is given up. */
const maxFailures = 20;

/** A model that is not called any more once it was unavailable for many calls in a row. */
export function givingUp(model: Model): Model {
  let failures = 0;
  return {
    id: model.id,
    identity: model.identity,
    async call(request, call) {
      if (failures >= maxFailures) {
        call.signal.throwIfAborted();
        const message = `${model.id} could not be reached ${failures} times in a row; no further calls are made`;
        return { status: "failed", fault: "unavailable", message, latencyMs: 0 };
      }
      const outcome = await model.call(request, call);
      const isOutOfReach = outcome.status === "failed" && outcome.fault === "unavailable";
      if (isOutOfReach) failures++;
      else if (failures < maxFailures) failures = 0;
      return outcome;
    },
  };
}
