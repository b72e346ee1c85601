import { setTimeout as sleep } from "node:timers/promises";
import type { BubblewrapStatus } from "./bubblewrap-status.ts";
import { childrenOf, isRunning, readProcessFile } from "./host/process-tree.ts";
import { sendSignal } from "./send-signal.ts";

/** The program itself: the child of the first process of the namespace. Null until there is one. */
export function programOf(status: BubblewrapStatus): number | null {
  const first = status.firstProcess();
  return first === null ? null : (childrenOf(first)?.[0] ?? null);
}

const endWaitMs = 1000;

/**
 * Bubblewrap may be gone a moment before the last process it stood around. Settles when that one is gone too. It ends
 * with bubblewrap, unless a skill wrote into its memory and made it forget that.
 */
export async function endOfNamespace(status: BubblewrapStatus): Promise<void> {
  const first = status.firstProcess();
  if (first === null) return;
  for (const until = performance.now() + endWaitMs; isFirst(first) && performance.now() < until; ) {
    sendSignal(first, "SIGKILL");
    await sleep(2);
  }
}

/** Whether this is still the first process of a namespace below ours: by now a stranger may have its number. */
function isFirst(pid: number): boolean {
  if (!isRunning(pid)) return false;
  return /^NSpid:(?:\s+\d+)+\s+1$/m.test(readProcessFile(`/proc/${pid}/status`) ?? "");
}
