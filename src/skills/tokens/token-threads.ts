import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { TokenAnswer, TokenOrder } from "./token-thread.ts";

const program = new URL("./token-thread.js", import.meta.url);
let isBuilt: boolean | undefined;

/** Whether there is a program for threads to run. */
export function hasThreads(): boolean {
  isBuilt ??= existsSync(fileURLToPath(program));
  return isBuilt;
}

/** Who reads files is busy too, and each thread has to load the table of tokens. */
const maxThreads = Math.min(2, availableParallelism());
/** A second one is worth its start where this much is waiting for the first. */
const muchCharacters = 500_000;

const threads: CountingThread[] = [];

/** How many tokens a text is, counted by the thread that has the least to do. */
export function countInThread(text: string): Promise<number> {
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

/** One thread. Nobody has to end it: while it has nothing to do, it keeps no process alive. */
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
    // What is asked at once goes in one message: to wake the thread costs more than to tell it.
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
