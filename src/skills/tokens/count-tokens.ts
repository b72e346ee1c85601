import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { encodedLength } from "../../shared/text/token-encoding.ts";
import type { TokenAnswer, TokenOrder } from "./token-thread.ts";

const maxRemembered = 64;
const remembered = new Map<string, Promise<number>>();

/**
 * How many tokens a text is to a model, by the o200k encoding. Counted in a thread, in parallel with other work; recent
 * results are remembered.
 */
export function countTokens(text: string): Promise<number> {
  const before = remembered.get(text);
  if (before !== undefined) return before;
  const [oldest] = remembered.keys();
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
  // Run from source there is no program that a thread could read.
  const tokens = hasThreads() ? countInThread(text) : encodedLength(text);
  remembered.set(text, tokens);
  return tokens;
}

const program = new URL("./token-thread.js", import.meta.url);
let isBuilt: boolean | undefined;

/** Whether there is a program for threads to run. */
function hasThreads(): boolean {
  isBuilt ??= existsSync(fileURLToPath(program));
  return isBuilt;
}

/** The main thread is busy too, and each thread has to load the table of tokens. */
const maxThreads = Math.min(2, availableParallelism());
/** A second one is worth its start where this much is waiting for the first. */
const muchCharacters = 500_000;

const threads: CountingThread[] = [];

/** How many tokens a text is, counted by the thread that has the least to do. */
function countInThread(text: string): Promise<number> {
  let chosen = threads.reduce<CountingThread | null>(
    (best, thread) => (best === null || thread.waitingCharacters < best.waitingCharacters ? thread : best),
    null,
  );
  const isWantedMore = chosen === null || chosen.waitingCharacters > muchCharacters;
  if (chosen === null || (isWantedMore && threads.length < maxThreads)) {
    chosen = new CountingThread((thread) => threads.splice(threads.indexOf(thread), 1));
    threads.push(chosen);
  }
  return chosen.count(text);
}

interface Waiting {
  characters: number;
  resolve(tokens: number): void;
  reject(error: unknown): void;
}

/** One thread. It need not be ended: an idle one does not keep the process alive. */
class CountingThread {
  /** Of the texts it has not answered yet. */
  waitingCharacters = 0;
  readonly #worker = new Worker(program, { execArgv: [] });
  readonly #waiting = new Map<number, Waiting>();
  #orders: TokenOrder[] = [];
  #ordered = 0;

  constructor(onLost: (thread: CountingThread) => void) {
    this.#worker.on("message", (answers: readonly TokenAnswer[]) => this.#take(answers));
    this.#worker.on("error", (error) => {
      onLost(this);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  count(text: string): Promise<number> {
    const id = this.#ordered++;
    // Simultaneous requests go in one message: waking the thread costs more than sending.
    if (this.#orders.length === 0) queueMicrotask(() => this.#send());
    this.#orders.push({ id, text });
    this.waitingCharacters += text.length;
    return new Promise((resolve, reject) =>
      this.#waiting.set(id, { characters: text.length, resolve, reject }),
    );
  }

  #send(): void {
    this.#worker.ref();
    this.#worker.postMessage(this.#orders);
    this.#orders = [];
  }

  #take(answers: readonly TokenAnswer[]): void {
    for (const { id, tokens } of answers) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      this.waitingCharacters -= waiting?.characters ?? 0;
      waiting?.resolve(tokens);
    }
    if (this.#waiting.size === 0) this.#worker.unref();
  }
}
