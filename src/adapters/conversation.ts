import { shorten } from "../base/visible-text.ts";
import type { Json } from "../contract/json.ts";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { type RpcReply, readRpcLine, requestLine } from "./json-rpc.ts";
import { LineReader } from "./line-reader.ts";
import { StreamTail } from "./tail-of-stream.ts";

export type Reply =
  | RpcReply
  | { kind: "exited"; exit: SkillExit }
  | { kind: "not-started"; message: string }
  | { kind: "flooded"; bytes: number }
  | { kind: "silent" };

export interface Question {
  id: number;
  input: Json;
  deadlineMs: number;
  signal: AbortSignal;
  /** A process that serves one call learns by the end of its input that nothing more comes. */
  isLast: boolean;
}

const stderrCapBytes = 65_536;
const strayLines = 16;
const strayLineChars = 4096;
/** After the exit, what the process had written is in the pipe already; a stranger holding it open is not waited for. */
const drainMs = 100;

/** Talks to a skill process: one question at a time, and whatever it says besides is kept as chatter. */
export class Conversation {
  readonly process: SkillProcess;
  readonly stray: { what: string; text: string }[] = [];
  readonly #stderr = new StreamTail(stderrCapBytes);
  readonly #reader: LineReader;
  #expectedId = -1;
  #settle: ((reply: Reply) => void) | null = null;

  constructor(process: SkillProcess, capBytes: number) {
    this.process = process;
    this.#reader = new LineReader(
      capBytes,
      (line) => this.#hear(line),
      () => this.#settle?.({ kind: "flooded", bytes: this.#reader.bytesSeen }),
    );
    process.stdout.on("data", (chunk: Buffer) => this.#reader.take(chunk));
    process.stderr.on("data", (chunk: Buffer) => this.#stderr.take(chunk));
    process.started.catch((error: Error) => this.#settle?.({ kind: "not-started", message: error.message }));
    void process.exited.then((exit) => this.#afterExit(exit));
  }

  get stderrTail(): string {
    return this.#stderr.text();
  }

  /** Puts a question and settles with the first thing that decides it. Throws only when the run is interrupted. */
  async ask({ id, input, deadlineMs, signal, isLast }: Question): Promise<Reply> {
    signal.throwIfAborted();
    this.stray.length = 0;
    this.#stderr.clear();
    this.#reader.reset();
    this.#expectedId = id;
    return new Promise((resolve, reject) => {
      const interrupt = () => end(() => reject(signal.reason));
      const timer = setTimeout(() => this.#settle?.({ kind: "silent" }), deadlineMs);
      const end = (finish: () => void) => {
        if (this.#settle === null) return;
        this.#settle = null;
        clearTimeout(timer);
        signal.removeEventListener("abort", interrupt);
        finish();
      };
      this.#settle = (reply) => end(() => resolve(reply));
      signal.addEventListener("abort", interrupt, { once: true });
      const request = requestLine(id, input);
      if (isLast) this.process.stdin.end(request);
      else this.process.stdin.write(request);
    });
  }

  #hear(line: Buffer): void {
    const read = readRpcLine(line, this.#expectedId);
    if (read.kind === "stray") this.#keep(read.what, read.text);
    else if (this.#settle === null) this.#keep("an answer nobody waits for", line.toString("latin1"));
    else this.#settle(read);
  }

  #keep(what: string, text: string): void {
    if (text !== "" && this.stray.length < strayLines)
      this.stray.push({ what, text: shorten(text, strayLineChars) });
  }

  #afterExit(exit: SkillExit): void {
    const { stdout } = this.process;
    const finish = () => {
      clearTimeout(timer);
      this.#reader.end();
      this.#settle?.({ kind: "exited", exit });
    };
    const timer = setTimeout(finish, drainMs);
    if (stdout.closed || stdout.readableEnded) finish();
    else stdout.once("close", finish);
  }
}
