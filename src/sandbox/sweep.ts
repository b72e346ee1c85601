import { readdirSync, readFileSync } from "node:fs";
import { tagVariable } from "./host/environment.ts";

/** A stray may fork while we look: looks again until a look finds nothing, within reason. */
export function sweepUntilClean(isEnded: (tag: string) => boolean): void {
  for (let look = 0; look < 5; look++) if (sweep(isEnded) === 0) return;
}

/** Kills every process that still carries one of these tags, and says how many there were. */
function sweep(isEnded: (tag: string) => boolean): number {
  let killed = 0;
  for (const { pid, tag } of taggedProcesses()) {
    if (!isEnded(tag)) continue;
    try {
      process.kill(pid, "SIGKILL");
      killed++;
    } catch {
      // It ended by itself between the look and the kill.
    }
  }
  return killed;
}

const prefix = `${tagVariable}=`;

/** Every process that carries a tag, of whatever run. */
export function* taggedProcesses(): Iterable<{ pid: number; tag: string }> {
  for (const name of processFolders()) {
    const environment = readEnvironment(name);
    if (environment === null || !environment.includes(prefix)) continue;
    // Entry by entry: within the value of another variable the same words are no tag.
    const entry = environment
      .toString("latin1")
      .split("\0")
      .find((entry) => entry.startsWith(prefix));
    if (entry !== undefined) yield { pid: Number(name), tag: entry.slice(prefix.length) };
  }
}

function processFolders(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // No /proc on this system: the group kill is all there is.
  }
}

/** Null for processes of other users and for those that just ended. */
function readEnvironment(pid: string): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}
