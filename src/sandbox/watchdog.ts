import { readFileSync } from "node:fs";

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
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
    return children
      .split(" ")
      .reduce((sum, child) => (child === "" ? sum : sum + residentBytes(Number(child))), own);
  } catch {
    return 0; // It ended meanwhile.
  }
}
