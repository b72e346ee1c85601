import { Worker } from "node:worker_threads";

export interface MatchRequest {
  pattern: string;
  flags: string;
  text: string;
}

export type MatchEnd =
  | { status: "matched"; isMatch: boolean }
  | { status: "overran" }
  | { status: "broken"; problem: string };

/** How long one match may take, from the moment its thread begins it. */
export const matchLimitMs = 1000;

/** Tries a pattern on a text in a thread, so that a pattern which never comes back can be stopped. */
export async function matchInThread(request: MatchRequest): Promise<MatchEnd> {
  const thread = await takeThread();
  const end = await runMatch(thread, request);
  if (end.status === "matched") giveBack(thread);
  else await replace(thread);
  return end;
}

/** A fresh expression for each match: `lastIndex` of the flags g and y has no past. */
const program = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ pattern, flags, text }) => {
  parentPort.postMessage({ status: "begun" });
  try {
    parentPort.postMessage({ status: "matched", isMatch: new RegExp(pattern, flags).test(text) });
  } catch (error) {
    parentPort.postMessage({ status: "broken", problem: String(error) });
  }
});`;

const maxThreads = 4;
const idle: Worker[] = [];
const waiting: ((thread: Worker) => void)[] = [];
let alive = 0;

function takeThread(): Promise<Worker> | Worker {
  const thread = idle.pop();
  if (thread !== undefined) {
    thread.ref();
    return thread;
  }
  if (alive < maxThreads) return startThread();
  return new Promise((resolve) => waiting.push(resolve));
}

function startThread(): Worker {
  const thread = new Worker(program, { eval: true, execArgv: [] });
  alive++;
  thread.on("error", () => {}); // runMatch hears of it; an idle thread is found to be gone by its exit
  thread.once("exit", () => {
    alive--;
    const place = idle.indexOf(thread);
    if (place !== -1) idle.splice(place, 1);
  });
  return thread;
}

function giveBack(thread: Worker): void {
  const next = waiting.shift();
  if (next === undefined) {
    thread.unref();
    idle.push(thread);
  } else {
    next(thread);
  }
}

async function replace(thread: Worker): Promise<void> {
  await thread.terminate();
  if (alive < maxThreads) waiting.shift()?.(startThread());
}

function runMatch(thread: Worker, request: MatchRequest): Promise<MatchEnd> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (how: MatchEnd) => {
      clearTimeout(timer);
      thread.off("message", hear).off("error", fail).off("exit", leave);
      resolve(how);
    };
    // A busy loop of ours may hear the clock before an answer that is already here: look once more, then end.
    const overrun = () => setImmediate(() => setImmediate(end, { status: "overran" }));
    const hear = (message: MatchEnd | { status: "begun" }) => {
      if (message.status === "begun") timer = setTimeout(overrun, matchLimitMs);
      else end(message);
    };
    const fail = (error: Error) => end({ status: "broken", problem: error.message });
    const leave = () => end({ status: "broken", problem: "its thread ended" });
    thread.on("message", hear).on("error", fail).on("exit", leave);
    thread.postMessage(request);
  });
}
