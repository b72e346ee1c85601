import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

// System call numbers of x86-64 and arm64. A process that waits for input sits in one of these.
const read: Record<string, string> = { x64: "0", arm64: "63" };
const waiting: Record<string, readonly string[]> = {
  x64: ["7", "23", "232", "270", "271", "281"], // poll select epoll_wait pselect6 ppoll epoll_pwait
  arm64: ["22", "72", "73"], // epoll_pwait pselect6 ppoll
};

/**
 * Settles with true when the process, or one it started, is seen waiting for input; with false when the limit passed first.
 * Where the machine does not show it, true at once. This is how start-up is told apart from latency without a handshake.
 */
export async function waitsForInput(pid: number, limitMs: number, isOver: () => boolean): Promise<boolean> {
  const until = performance.now() + limitMs;
  let wasPolling = false;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 1.5, 10)) {
    const state = lookAtTree(pid);
    if (state === "hidden" || state === "reads" || isOver()) return true;
    // An event loop may touch its poll call while still starting; only a loop that stays there is waiting.
    if (state === "polls" && wasPolling) return true;
    wasPolling = state === "polls";
    if (performance.now() >= until) return false;
    await sleep(pauseMs);
  }
}

type InputState = "reads" | "polls" | "busy" | "hidden";

function lookAtTree(pid: number): InputState {
  const threads = listing(`/proc/${pid}/task`);
  if (threads === null || read[process.arch] === undefined) return "hidden";
  let best: InputState = "busy";
  for (const thread of threads) {
    const call = text(`/proc/${pid}/task/${thread}/syscall`);
    if (call === null) return "hidden";
    const [number, firstArgument] = call.split(" ");
    if (number === read[process.arch] && firstArgument === "0x0") return "reads";
    if (number !== undefined && waiting[process.arch]?.includes(number)) best = "polls";
    for (const child of (text(`/proc/${pid}/task/${thread}/children`) ?? "").split(" ")) {
      if (child === "") continue;
      const state = lookAtTree(Number(child));
      if (state === "reads") return state;
      if (state === "polls") best = state;
    }
  }
  return best;
}

function listing(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}

function text(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
