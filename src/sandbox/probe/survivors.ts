import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { readProcessFile } from "../host/process-tree.ts";

/**
 * Whether anything with this word in its environment is still there. The kernel takes a moment to end a namespace,
 * so it gets one. Only processes younger than `sincePid` are looked at.
 */
export async function anySurvivor(word: string, sincePid: number): Promise<boolean> {
  for (let pauseMs = 1; pauseMs < 600; pauseMs *= 2) {
    if (!isThere(word, sincePid)) return false;
    await sleep(pauseMs);
  }
  return isThere(word, sincePid);
}

function isThere(word: string, sincePid: number): boolean {
  // When the kernel has begun to count from the start again, numbers say nothing about age.
  const newest = Number(readProcessFile("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
  const isYoung = (pid: number) => pid > sincePid || newest < sincePid;
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isYoung(pid))
    .some((pid) => environmentOf(pid)?.includes(word));
}

function environmentOf(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}
