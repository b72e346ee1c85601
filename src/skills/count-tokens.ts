import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { encodedLength } from "./token-encoding.ts";
import type { TokenAnswer, TokenOrder } from "./token-thread.ts";

const mostRemembered = 64;
const remembered = new Map<string, Promise<number>>();

/**
 * How many tokens a text is to a model, by the o200k encoding. Counted in a thread, beside other work; what was just
 * asked is not counted again.
 */
export function countTokens(text: string): Promise<number> {
  const before = remembered.get(text);
  if (before !== undefined) return before;
  const [oldest] = remembered.keys();
  if (remembered.size >= mostRemembered && oldest !== undefined) remembered.delete(oldest);
  // Run from source there is no program that a thread could read.
  const tokens = hasThread() ? countInThread(text) : encodedLength(text);
  remembered.set(text, tokens);
  return tokens;
}

const program = new URL("./token-thread.js", import.meta.url);
let isBuilt: boolean | undefined;

function hasThread(): boolean {
  isBuilt ??= existsSync(fileURLToPath(program));
  return isBuilt;
}

let thread: Worker | undefined;
let orders: TokenOrder[] = [];
let ordered = 0;
const waiting = new Map<number, { resolve(tokens: number): void; reject(error: unknown): void }>();

function countInThread(text: string): Promise<number> {
  const id = ordered++;
  if (orders.length === 0) queueMicrotask(sendOrders);
  orders.push({ id, text });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** What is asked at once goes in one message: to wake the thread costs more than to tell it. */
function sendOrders(): void {
  thread ??= startThread();
  thread.ref();
  thread.postMessage(orders);
  orders = [];
}

/** Nobody has to end it: while it has nothing to do, it keeps no process alive. */
function startThread(): Worker {
  const started = new Worker(program, { execArgv: [] });
  started.on("message", (answers: readonly TokenAnswer[]) => {
    for (const { id, tokens } of answers) {
      waiting.get(id)?.resolve(tokens);
      waiting.delete(id);
    }
    if (waiting.size === 0) started.unref();
  });
  started.on("error", (error) => {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
  return started;
}
