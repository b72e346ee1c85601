import { processTree, readProcessFile } from "./process-tree.ts";

const lookEveryMs = 100;

/** Adds up the resident memory of a process tree while it lives, and calls out once when it passes the cap. */
export function watchMemory(pid: number, capBytes: number, onExceeded: () => void): Disposable {
  const timer = setInterval(() => {
    if (residentBytes(pid) <= capBytes) return;
    clearInterval(timer);
    onExceeded();
  }, lookEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function residentBytes(pid: number): number {
  let total = 0;
  for (const member of processTree(pid)) {
    const status = readProcessFile(`/proc/${member}/status`) ?? "";
    total += Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }
  return total;
}
