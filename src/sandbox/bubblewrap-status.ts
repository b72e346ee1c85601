import { closeSync, openSync, readSync, unlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, listChildren, readProcessFile, sendSignal } from "./host/process-tree.ts";

/** What bubblewrap reports about a start, in a file that only it and we have open. */
export interface BubblewrapStatus extends Disposable {
  /** Passed to bubblewrap. */
  readonly descriptor: number;
  /** The first process of the namespace, as the machine numbers it; null until there is one. Below it runs the program. */
  firstProcess(): number | null;
  /** Whether the program itself was executed and has ended; the exit code is its own then. */
  wasExecuted(): boolean;
}

/** A file rather than a pipe: what was written is there at the exit, in whatever order events arrive. */
export function openBubblewrapStatus(path: string): BubblewrapStatus {
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  let isOpen = true;
  let lastRead = "";
  const read = () => {
    const text = Buffer.alloc(1024);
    // Once closed, the number may refer to another file.
    if (isOpen) lastRead = text.toString("latin1", 0, readSync(descriptor, text, 0, text.length, 0));
    return lastRead;
  };
  return {
    descriptor,
    firstProcess() {
      const pid = /"child-pid": (\d+)/.exec(read())?.[1];
      return pid === undefined ? null : Number(pid);
    },
    wasExecuted: () => read().includes('"exit-code":'),
    [Symbol.dispose]() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

/** The program itself: the child of the first process of the namespace. Null until there is one. */
export function findProgramPid(status: BubblewrapStatus): number | null {
  const first = status.firstProcess();
  return first === null ? null : (listChildren(first)?.[0] ?? null);
}

const endWaitMs = 1000;

/**
 * Bubblewrap may end a moment before the last process in its sandbox. Settles when that one has ended too. It ends
 * with bubblewrap, unless a skill wrote into its memory and made it forget that.
 */
export async function waitForNamespaceEnd(status: BubblewrapStatus): Promise<void> {
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
