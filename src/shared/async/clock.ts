import { onAbort } from "./abort.ts";

/** Time comes in by argument, so that a test can hold it. */
export interface Clock {
  /** Wall clock, epoch milliseconds: for people. May jump. */
  now(): number;
  /** Monotonic milliseconds: for durations, deadlines and order. Never jumps. */
  monotonic(): number;
  /** Settles after this long on the monotonic clock; rejects with the signal's reason when it is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (durationMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer = startTimer(() => {
        callOff();
        resolve();
      }, durationMs);
      const callOff = onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** A timer set for longer than this fires at once. Nobody waits 24 days for a skill. */
const longestTimerMs = 2 ** 31 - 1;

/** `setTimeout` for a length that a user chose. */
export function startTimer(work: () => void, durationMs: number): NodeJS.Timeout {
  return setTimeout(work, Math.min(durationMs, longestTimerMs));
}

/** A wall-clock time as people and files write it. */
export function isoTime(epochMs: number): string {
  if (epochMs !== lastTime.epochMs) lastTime = { epochMs, text: new Date(epochMs).toISOString() };
  return lastTime.text;
}

/** Cells that begin and end in the same millisecond need not have it spelled again. */
let lastTime = { epochMs: Number.NaN, text: "" };
