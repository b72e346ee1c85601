import { sweepUntilClean } from "./sweep.ts";

/** Clears away what ended skills left behind, several at a time: one look at the process table serves all of them. */
export function openSweeper(): { ended(mark: string): void; now(): void } {
  const ended = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let pauseMs = 20;

  function now(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (ended.size === 0) return;
    const began = performance.now();
    sweepUntilClean((mark) => ended.has(mark));
    ended.clear();
    // Looking costs with the number of processes on the machine; never spend more than a twentieth of the time on it.
    pauseMs = Math.max(20, 20 * (performance.now() - began));
  }

  return {
    ended(mark) {
      ended.add(mark);
      timer ??= setTimeout(now, pauseMs);
      timer.unref();
    },
    now,
  };
}
