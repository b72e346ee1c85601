import { readdirSync, readFileSync } from "node:fs";
import type { Diagnosis } from "../contract/findings.ts";
import { tagVariable } from "./host/environment.ts";
import { reaperName } from "./host/reaper.ts";

/** A stray may fork while we look: looks again until a look finds nothing, within reason. */
export function sweepUntilClean(isEnded: (tag: string) => boolean): void {
  for (let look = 0; look < 5; look++) if (sweep(isEnded) === 0) return;
}

/** Kills every process that still carries one of these tags, and returns how many there were. */
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
function* taggedProcesses(): Iterable<{ pid: number; tag: string }> {
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

/** The report of `doctor` about skill processes that outlived their runner. */
export function diagnoseOrphans(): Diagnosis {
  const alive = livingRuns();
  const orphans = [...taggedProcesses()].filter(({ tag }) => !alive.has(tag.split(".")[0] ?? ""));
  const line = { topic: "machine", name: "skill processes" } as const;
  if (orphans.length === 0) return { ...line, state: "ok", found: "none outlived its runner", fix: null };
  const pids = orphans.map(({ pid }) => pid);
  const found = `${pids.length === 1 ? "one process" : `${pids.length} processes`} without a runner`;
  return { ...line, state: "bad", found, fix: `kill -9 ${pids.join(" ")}` };
}

/** The tags of runs whose runner lives: beside each of them waits a reaper that has the tag in its command line. */
function livingRuns(): Set<string> {
  const tags = new Set<string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = commandLine(pid);
    const at = words.indexOf(reaperName);
    if (at !== -1) tags.add(words[at + 1] ?? "");
  }
  return tags;
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
  } catch {
    return []; // It ended by itself meanwhile.
  }
}
