import { setTimeout as sleep } from "node:timers/promises";
import type { BubblewrapStatus } from "./bubblewrap-status.ts";
import { childrenOf, isRunning } from "./process-tree.ts";

/** The program itself: the child of the first process of the namespace. Null until there is one. */
export function programOf(status: BubblewrapStatus): number | null {
  const first = status.firstProcess();
  return first === null ? null : (childrenOf(first)?.[0] ?? null);
}

const endWaitMs = 1000;

/** Bubblewrap may be gone a moment before the last process it stood around. Settles when that one is gone too. */
export async function endOfNamespace(status: BubblewrapStatus): Promise<void> {
  const first = status.firstProcess();
  if (first === null) return;
  for (const until = performance.now() + endWaitMs; isRunning(first) && performance.now() < until; ) {
    await sleep(2);
  }
}
