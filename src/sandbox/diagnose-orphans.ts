import { readdirSync, readFileSync } from "node:fs";
import type { Diagnosis } from "../contract/diagnosis.ts";
import { reaperName } from "./reaper.ts";
import { markedProcesses } from "./sweep.ts";

/** What `doctor` tells of skill processes that outlived the runner that started them. */
export function diagnoseOrphans(): Diagnosis {
  const alive = livingRuns();
  const orphans = [...markedProcesses()].filter(({ mark }) => !alive.has(mark.split(".")[0] ?? ""));
  const line = { topic: "machine", name: "skill processes" } as const;
  if (orphans.length === 0) return { ...line, state: "ok", found: "none outlived its runner", mend: null };
  const pids = orphans.map(({ pid }) => pid);
  const found = `${pids.length === 1 ? "one process" : `${pids.length} processes`} without a runner`;
  return { ...line, state: "bad", found, mend: `kill -9 ${pids.join(" ")}` };
}

/** The marks of runs whose runner lives: beside each of them waits a reaper that has the mark in its command line. */
function livingRuns(): Set<string> {
  const marks = new Set<string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = commandLine(pid);
    const at = words.indexOf(reaperName);
    if (at !== -1) marks.add(words[at + 1] ?? "");
  }
  return marks;
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
  } catch {
    return []; // It ended by itself meanwhile.
  }
}
