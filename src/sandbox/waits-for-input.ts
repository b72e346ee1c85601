import { readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { listChildren, listThreads, readProcessFile } from "./host/process-tree.ts";

// System call numbers. A process that waits for input sits in one of these.
interface CallNumbers {
  read: readonly string[];
  /** The first or second argument is the number of descriptors looked at. */
  select: readonly string[];
  poll: readonly string[];
  epoll: readonly string[];
}
const callNumbers: Partial<Record<string, CallNumbers>> = {
  x64: { read: ["0", "45"], select: ["23", "270"], poll: ["7", "271"], epoll: ["232", "281", "441"] },
  arm64: { read: ["63", "207"], select: ["72"], poll: ["73"], epoll: ["22", "441"] },
};

/**
 * Settles with true when the process, or one it started, is seen waiting for input; with false when the limit passed first.
 * If the machine does not show it, true at once. This separates start-up from latency without a handshake.
 */
export async function waitsForInput(
  /** Null as long as it is not there yet. */
  processId: () => number | null,
  limitMs: number,
  isOver: () => boolean,
): Promise<boolean> {
  const until = performance.now() + limitMs;
  let wasPolling = false;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 1.5, 10)) {
    const pid = processId();
    const state = pid === null ? "busy" : lookAtTree(pid, openFile(pid, 0));
    if (state === "hidden" || state === "reads" || isOver()) return true;
    // A loop may touch its poll call while still starting; only one that stays there is waiting.
    if (state === "polls" && wasPolling) return true;
    wasPolling = state === "polls";
    if (performance.now() >= until) return false;
    await sleep(pauseMs);
  }
}

type InputState = "reads" | "polls" | "busy" | "hidden";

function lookAtTree(pid: number, input: string | null): InputState {
  const threads = listThreads(pid);
  const numbers = callNumbers[process.arch];
  if (threads === null || numbers === undefined) return "hidden";
  let best: InputState = "busy";
  for (const thread of threads) {
    const call = readProcessFile(`/proc/${pid}/task/${thread}/syscall`);
    if (call === null) return "hidden";
    const state = stateOfCall(pid, call, numbers, input);
    if (state === "reads") return state;
    if (state === "polls") best = state;
  }
  for (const child of listChildren(pid) ?? []) {
    const state = lookAtTree(child, input);
    if (state === "reads") return state;
    if (state === "polls") best = state;
  }
  return best;
}

/** Sleeping is done by the same calls as waiting for input; the difference is whether they wait for the input. */
function stateOfCall(pid: number, call: string, numbers: CallNumbers, input: string | null): InputState {
  const [number = "", first = "0x0", second = "0x0"] = call.trim().split(" ");
  if (numbers.read.includes(number)) return isInput(pid, Number(first), input) ? "reads" : "busy";
  if (numbers.select.includes(number)) return Number(first) > 0 ? "polls" : "busy";
  if (numbers.poll.includes(number)) return Number(second) > 0 ? "polls" : "busy";
  if (numbers.epoll.includes(number)) return watchesInput(pid, Number(first), input) ? "polls" : "busy";
  return "busy";
}

function watchesInput(pid: number, epoll: number, input: string | null): boolean {
  const watched = readProcessFile(`/proc/${pid}/fdinfo/${epoll}`) ?? "";
  return [...watched.matchAll(/^tfd:\s+(\d+)/gm)].some(([, file]) => isInput(pid, Number(file), input));
}

/** Number 0, or a copy of what the first process has there. */
function isInput(pid: number, file: number, input: string | null): boolean {
  return file === 0 || (input !== null && openFile(pid, file) === input);
}

function openFile(pid: number, file: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/fd/${file}`);
  } catch {
    return null;
  }
}
