import { readdirSync } from "node:fs";
import { readProcessFile } from "./host/process-tree.ts";

/** How many threads our own user has on the whole machine: the kernel's cap on processes counts all of them. */
export function userThreads(): number {
  const now = performance.now();
  if (counted === null || now - counted.atMs > keptMs) counted = { threads: countThreads(), atMs: now };
  return counted.threads;
}

/** Counting costs with the number of processes on the machine, so it is not done for each start. */
const keptMs = 1000;
let counted: { threads: number; atMs: number } | null = null;

function countThreads(): number {
  const uid = `${process.getuid?.() ?? 0}`;
  let threads = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const status = readProcessFile(`/proc/${pid}/status`) ?? "";
    if (/^Uid:\s+(\d+)/m.exec(status)?.[1] !== uid) continue;
    threads += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 1);
  }
  return threads;
}
