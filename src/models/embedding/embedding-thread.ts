import { Worker } from "node:worker_threads";
import { onAbort } from "../../shared/async/abort.ts";
import { startTimer } from "../../shared/async/clock.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { LocalPackage } from "./local-packages.ts";

export interface ThreadOrder {
  kind: "minilm" | "bge";
  files: Readonly<Record<LocalPackage, string>>;
}

export type ThreadAnswer = { vector: Float32Array } | { problem: string };

/** A thread that runs one embedding model. Started at the first text; while idle it does not keep the process alive. */
export class EmbeddingThread implements AsyncDisposable {
  readonly #order: ThreadOrder;
  #worker: Worker | null = null;
  /** Why it has ended; null while it works. */
  #end: string | null = null;
  #nextId = 0;
  readonly #waiting = new Map<number, (answer: ThreadAnswer) => void>();

  constructor(order: ThreadOrder) {
    this.#order = order;
  }

  /** The vector of a text, or why there is none. Throws the signal's reason. */
  async embed(text: string, signal: AbortSignal): Promise<ThreadAnswer> {
    signal.throwIfAborted();
    if (this.#end !== null) return { problem: this.#end };
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId++;
    let timer: NodeJS.Timeout | undefined;
    let callOff = () => {};
    try {
      return await new Promise<ThreadAnswer>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        timer = startTimer(() => resolve({ problem: `no vector within ${longestWaitMs} ms` }), longestWaitMs);
        callOff = onAbort(signal, () => reject(signal.reason));
        worker.ref();
        worker.postMessage({ id, text: text.slice(0, maxCharacters) });
      });
    } finally {
      clearTimeout(timer);
      callOff();
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    }
  }

  #start(): Worker {
    const program = new URL("./run-embedding.mjs", import.meta.url);
    const worker = new Worker(program, { workerData: this.#order, execArgv: [], env: {} });
    worker.on("message", ({ id, ...answer }: ThreadAnswer & { id: number }) =>
      this.#waiting.get(id)?.(answer),
    );
    worker.on("error", (error) => this.#lose(shownText(error.message, 300)));
    worker.on("exit", () => this.#lose("the thread of the model has ended"));
    return worker;
  }

  #lose(problem: string): void {
    this.#end ??= problem;
    for (const answer of this.#waiting.values()) answer({ problem: this.#end });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end ??= "the embedder is closed";
    await this.#worker?.terminate();
  }
}

/** Longer than any text takes, the loading of the model before the first one included. */
const longestWaitMs = 60_000;
/** More than any model reads. */
const maxCharacters = 8000;
