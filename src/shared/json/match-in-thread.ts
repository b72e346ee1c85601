import { Worker } from "node:worker_threads";

interface Expression {
  pattern: string;
  flags: string;
}
export interface MatchRequest extends Expression {
  text: string;
}
export interface LinesRequest extends Expression {
  texts: readonly string[];
  /** Stops after so many hits. */
  maxHits: number;
  /** Whether the first hit in a text is enough. */
  oncePerText: boolean;
}

/** A line that matches: which text, and which of its lines, both from 0. */
export type LineHit = readonly [text: number, line: number];

type Failure = { status: "overran" } | { status: "broken"; problem: string };
export type MatchEnd = { status: "matched"; isMatch: boolean } | Failure;
export type LinesEnd = { status: "searched"; hits: readonly LineHit[] } | Failure;

/** How long one request may take, from the moment its thread begins it. */
export const matchLimitMs = 1000;

/** Tries a pattern on a text in a thread, so that a pattern which never comes back can be stopped. */
export async function matchInThread(request: MatchRequest): Promise<MatchEnd> {
  return (await askThread(request)) as MatchEnd;
}

/** Tries a pattern on every line of many texts, all in one go. */
export async function matchLinesInThread(request: LinesRequest): Promise<LinesEnd> {
  return (await askThread(request)) as LinesEnd;
}

async function askThread(request: MatchRequest | LinesRequest): Promise<MatchEnd | LinesEnd> {
  const thread = await takeThread();
  const end = await runRequest(thread, request);
  if (end.status === "overran" || end.status === "broken") await replace(thread);
  else giveBack(thread);
  return end;
}

/** A fresh expression for each request, and `lastIndex` set back for each line: the flags g and y have no past. */
const program = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", (request) => {
  parentPort.postMessage({ status: "begun" });
  try {
    const expression = new RegExp(request.pattern, request.flags);
    parentPort.postMessage(
      request.texts === undefined
        ? { status: "matched", isMatch: expression.test(request.text) }
        : { status: "searched", hits: search(expression, request) },
    );
  } catch (error) {
    parentPort.postMessage({ status: "broken", problem: String(error) });
  }
});
function search(expression, { texts, maxHits, oncePerText }) {
  const hits = [];
  for (const [text, content] of texts.entries()) {
    for (const [line, words] of content.split(/\\r?\\n/).entries()) {
      expression.lastIndex = 0;
      if (!expression.test(words)) continue;
      if (hits.push([text, line]) >= maxHits) return hits;
      if (oncePerText) break;
    }
  }
  return hits;
}`;

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
  thread.on("error", () => {}); // runRequest handles it; an idle thread is removed by its exit event
  thread.once("exit", () => {
    alive--;
    const index = idle.indexOf(thread);
    if (index !== -1) idle.splice(index, 1);
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

function runRequest(thread: Worker, request: MatchRequest | LinesRequest): Promise<MatchEnd | LinesEnd> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (how: MatchEnd | LinesEnd) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", fail).off("exit", onExit);
      resolve(how);
    };
    // When our event loop was busy, the timer may fire before an answer that has already arrived: check once more, then end.
    const overrun = () => setImmediate(() => setImmediate(end, { status: "overran" }));
    const onMessage = (message: MatchEnd | LinesEnd | { status: "begun" }) => {
      if (message.status === "begun") timer = setTimeout(overrun, matchLimitMs);
      else end(message);
    };
    const fail = (error: Error) => end({ status: "broken", problem: error.message });
    const onExit = () => end({ status: "broken", problem: "its thread ended" });
    thread.on("message", onMessage).on("error", fail).on("exit", onExit);
    thread.postMessage(request);
  });
}
