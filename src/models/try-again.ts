import type { ModelFault } from "../contract/model.ts";
import type { Clock } from "../shared/async/clock.ts";
import { longestDemandMs } from "../shared/network/retry-after.ts";
import type { FailedTry } from "./provider-connection.ts";

export interface RetryOptions {
  /** How many more tries a call gets. */
  retries: number;
  clock: Clock;
  /** 0..1: spreads the pauses, so that calls that failed together do not come back together. */
  random: () => number;
}

export interface TryOptions extends RetryOptions {
  signal: AbortSignal;
  /** Whoever asks for a longer pause than this is not asked again. */
  patienceMs?: number;
  /** Whether a further try would do harm. */
  isSpoilt?: () => boolean;
}

/** Tries until there is an answer, or a failure that will not pass, or no try is left. */
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
