import { readdirSync, readFileSync } from "node:fs";

/** A process and its descendants. Empty if the system does not show processes. */
export function processTree(pid: number): number[] {
  const found: number[] = [];
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const children = listChildren(next);
    if (children === null) continue;
    found.push(next);
    waiting.push(...children);
  }
  return found;
}

/** Null when the process is gone. The kernel lists children by the thread that started them, so every thread is queried. */
export function listChildren(pid: number): number[] | null {
  const threads = listThreads(pid);
  if (threads === null) return null;
  return threads.flatMap((thread) => {
    const children = readProcessFile(`/proc/${pid}/task/${thread}/children`) ?? "";
    return children.split(" ").filter(Boolean).map(Number);
  });
}

/** Whether the process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  const state = readProcessFile(`/proc/${pid}/stat`)?.replace(/^.*\) /s, "");
  return state !== undefined && !/^[ZX]/.test(state);
}

/** Null when the process is gone, or cannot be seen. */
export function listThreads(pid: number): string[] | null {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return null;
  }
}

/** Null if it is gone, or belongs to another user. */
export function readProcessFile(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}

/** Sends a signal to a process, or to a group by its negative number. One that has ended already is not a failure. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Everything under this number ended before the signal.
  }
}
