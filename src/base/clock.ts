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
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, durationMs);
      signal.addEventListener("abort", stop, { once: true });
    }),
};

/** A wall-clock time as people and files write it. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
