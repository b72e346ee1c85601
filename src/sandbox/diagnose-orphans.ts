import { readdirSync, readFileSync } from "node:fs";
import type { Diagnosis } from "../contract/diagnosis.ts";
import { reaperName } from "./host/reaper.ts";
import { taggedProcesses } from "./sweep.ts";

/** What `doctor` tells of skill processes that outlived the runner that started them. */
export function diagnoseOrphans(): Diagnosis {
  const alive = livingRuns();
  const orphans = [...taggedProcesses()].filter(({ tag }) => !alive.has(tag.split(".")[0] ?? ""));
  const line = { topic: "machine", name: "skill processes" } as const;
  if (orphans.length === 0) return { ...line, state: "ok", found: "none outlived its runner", mend: null };
  const pids = orphans.map(({ pid }) => pid);
  const found = `${pids.length === 1 ? "one process" : `${pids.length} processes`} without a runner`;
  return { ...line, state: "bad", found, mend: `kill -9 ${pids.join(" ")}` };
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
