import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** Who works on a run: a pid alone would be mistaken for a later process that got the same number. */
export interface Owner {
  pid: number;
  /** When that process began, in the system's own count; null where it does not say. */
  processStart: string | null;
  host: string;
}

export function thisProcess(): Owner {
  return { pid: process.pid, processStart: readProcessStart(process.pid), host: hostname() };
}

/** Whether two owners are one process. Containers that share a store have equal pids on different hosts. */
export function isSame(a: Owner, b: Owner): boolean {
  return a.pid === b.pid && a.processStart === b.processStart && a.host === b.host;
}

/** Whether the owner may still be working. On another machine nobody can look, so it is assumed. */
export function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const start = readProcessStart(owner.pid);
  return start === null || owner.processStart === null || start === owner.processStart;
}

function readProcessStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may hold anything; the fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return "zombie";
    return fields[19] ?? null;
  } catch {
    return null;
  }
}
