import { readdirSync } from "node:fs";
import type { Diagnosis } from "../contract/findings.ts";
import { readProcessFile } from "./host/process-tree.ts";
import { reaperName } from "./host/reaper.ts";
import { isOfRun, type ProcessTag, type RunTag, readTags, runPart } from "./host/run-tag.ts";

/** Ends every process that ever carried a tag of this run. */
export function sweepRun(run: RunTag): void {
  sweepUntilClean(allProcesses, (tag) => isOfRun(run, tag));
}

/** A stray may fork while we look: looks again until a look finds nothing, within reason. */
function sweepUntilClean(list: () => string[], isEnded: (tag: string) => boolean): void {
  for (let look = 0; look < 5; look++) if (sweep(list(), isEnded) === 0) return;
}

/** Kills those that still carry one of these tags, and returns how many there were. */
function sweep(pids: readonly string[], isEnded: (tag: string) => boolean): number {
  let killed = 0;
  for (const pid of pids) {
    if (!readTags(pid).some(isEnded)) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
      killed++;
    } catch {
      // It ended by itself between the look and the kill.
    }
  }
  return killed;
}

function allProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // No /proc on this system: the group kill is all there is.
  }
}

/**
 * The processes that may have been started since this one, by it or by others: the kernel numbers them in turn, and begins
 * again from the start when it runs out of numbers.
 */
function processesSince(pid: number): string[] {
  const newest = Number(readProcessFile("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
  const all = allProcesses();
  return newest < pid ? all : all.filter((name) => Number(name) >= pid);
}

/** What ended: its tag, its number, and when it had begun. */
export interface EndedProcess {
  tag: ProcessTag;
  pid: number | null;
  startedMs: number;
}

/** A process that lasted longer may have seen the numbers run out more than once. */
const longMs = 5000;
/** From the end of a process to the first look, and from there to the second. */
const [shortestPauseMs, longestPauseMs] = [50, 200];

/** Clears away what ended skills left behind, several at a time: one look at the process table serves all of them. */
export function openSweeper(): { ended(process: EndedProcess): void; now(): void } {
  let ended: EndedProcess[] = [];
  /** Looked for once already. What was just forking then is seen by a second look, a little later. */
  let fading: EndedProcess[] = [];
  let timer: NodeJS.Timeout | null = null;
  let pauseMs = shortestPauseMs;

  function now(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const sought = [...ended, ...fading];
    if (sought.length === 0) return;
    const began = performance.now();
    const tags = new Set(sought.flatMap(({ tag }) => [tag.word, `${tag.locks}`]));
    const isOld = sought.some(({ pid, startedMs }) => pid === null || began - startedMs > longMs);
    const first = Math.min(...sought.map(({ pid }) => pid ?? 0));
    sweepUntilClean(isOld ? allProcesses : () => processesSince(first), (tag) => tags.has(tag));
    fading = ended;
    ended = [];
    // Looking costs with the number of processes: rarely more than a sixtieth of the time, and never later than promised.
    pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, 60 * (performance.now() - began)));
    if (fading.length > 0) lookLater();
  }

  function lookLater(): void {
    timer ??= setTimeout(now, pauseMs);
    timer.unref();
  }

  return {
    ended(process) {
      ended.push(process);
      lookLater();
    },
    now,
  };
}

/** The report of `doctor` about skill processes that outlived their runner. */
export function diagnoseOrphans(): Diagnosis {
  const alive = livingRuns();
  const orphans = allProcesses().filter((pid) => {
    const runs = readTags(pid).map(runPart);
    return runs.length > 0 && !runs.some((run) => alive.has(run));
  });
  const line = { topic: "machine", name: "skill processes" } as const;
  if (orphans.length === 0) return { ...line, state: "ok", found: "none outlived its runner", fix: null };
  const found = `${orphans.length === 1 ? "one process" : `${orphans.length} processes`} without a runner`;
  return { ...line, state: "bad", found, fix: `kill -9 ${orphans.join(" ")}` };
}

/** The tags of runs whose runner lives: beside each of them waits a reaper that has them in its command line. */
function livingRuns(): Set<string> {
  const tags = new Set<string>();
  for (const pid of allProcesses()) {
    const words = (readProcessFile(`/proc/${pid}/cmdline`) ?? "").split("\0");
    const at = words.indexOf(reaperName);
    if (at !== -1) for (const word of [words[at + 1], words[at + 3]]) tags.add(word ?? "");
  }
  return tags;
}
