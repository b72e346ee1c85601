import { sweepUntilClean } from "./sweep.ts";

/** Clears away what ended skills left behind, several at a time: one look at the process table serves all of them. */
export function openSweeper(): { ended(tag: string): void; now(): void } {
  let ended = new Set<string>();
  /** Looked for once already. What was just forking then is seen by a second look, a little later. */
  let fading = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let pauseMs = 50;

  function now(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (ended.size === 0 && fading.size === 0) return;
    const began = performance.now();
    sweepUntilClean((tag) => ended.has(tag) || fading.has(tag));
    fading = ended;
    ended = new Set();
    // Looking costs with the number of processes on the machine; never spend more than a sixtieth of the time on it.
    pauseMs = Math.max(50, 60 * (performance.now() - began));
    if (fading.size > 0) lookLater();
  }

  function lookLater(): void {
    timer ??= setTimeout(now, pauseMs);
    timer.unref();
  }

  return {
    ended(tag) {
      ended.add(tag);
      lookLater();
    },
    now,
  };
}
