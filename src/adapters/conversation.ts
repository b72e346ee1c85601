import { startTimer } from "../base/clock.ts";
import { onAbort } from "../base/on-abort.ts";
import { StreamTail } from "../base/stream-tail.ts";
import { textOrBase64 } from "../base/text-or-base64.ts";
import { shorten } from "../base/visible-text.ts";
import type { Json } from "../contract/json.ts";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { type RpcReply, rpcWire, type Wire } from "./json-rpc.ts";
import { LineReader } from "./line-reader.ts";

export type Reply =
  | RpcReply
  | { kind: "exited"; exit: SkillExit }
  | { kind: "not-started"; error: NodeJS.ErrnoException }
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

/** What a skill said besides its answer. */
export interface Chatter {
  stray: readonly { what: string; text: string }[];
  stderrTail: string;
}

const stderrCapBytes = 65_536;
const strayLines = 16;
const strayLineChars = 4096;
/** After the exit, what the process had written is in the pipe already; a stranger holding it open is not waited for. */
const drainMs = 100;

/** Talks to a skill process: one question at a time, and whatever it says besides is kept as chatter. */
export class Conversation {
  readonly process: SkillProcess;
  readonly #wire: Wire;
  #stray: { what: string; text: string }[] = [];
  readonly #stderr = new StreamTail(stderrCapBytes);
  readonly #reader: LineReader;
  #expectedId = -1;
  #settle: ((reply: Reply) => void) | null = null;
  /** Set when the process is over: whoever asks from then on hears it at once. */
  #end: Reply | null = null;

  constructor(process: SkillProcess, capBytes: number, wire: Wire = rpcWire) {
    this.process = process;
    this.#wire = wire;
    this.#reader = new LineReader(
      capBytes,
      (line) => this.#hear(line),
      () => this.#settle?.({ kind: "flooded", bytes: this.#reader.bytesSeen }),
    );
    process.stdout.on("data", (chunk: Buffer) => this.#reader.take(chunk));
    process.stderr.on("data", (chunk: Buffer) => this.#stderr.take(chunk));
    process.started.catch((error: Error) => this.#finish({ kind: "not-started", error }));
    void process.exited.then((exit) => this.#afterExit(exit));
    if (wire.greeting !== "") process.stdin.write(wire.greeting);
  }

  /** Hands out what was said since the last time. What comes between two questions belongs to the second. */
  takeChatter(): Chatter {
    const chatter = { stray: this.#stray, stderrTail: this.#stderr.text() };
    this.#stray = [];
    this.#stderr.clear();
    return chatter;
  }

  /** Puts a question and settles with the first thing that decides it. Throws only when the run is interrupted. */
  async ask({ id, input, deadlineMs, signal, isLast }: Question): Promise<Reply> {
    signal.throwIfAborted();
    if (this.#end !== null) return this.#end;
    this.#reader.reset();
    this.#expectedId = id;
    return new Promise((resolve, reject) => {
      const interrupt = () => end(() => reject(signal.reason));
      // When we were busy ourselves, an answer may lie in the pipe already: one turn to read it, then the clock decides.
      const silence = () => void setImmediate(() => settle({ kind: "silent" }));
      const timer = startTimer(silence, deadlineMs);
      const end = (finish: () => void) => {
        if (this.#settle !== settle) return;
        this.#settle = null;
        clearTimeout(timer);
        callOff();
        finish();
      };
      const settle = (reply: Reply) => end(() => resolve(reply));
      this.#settle = settle;
      const callOff = onAbort(signal, interrupt);
      const request = this.#wire.request(id, input, deadlineMs);
      if (isLast) this.process.stdin.end(request);
      else this.process.stdin.write(request);
    });
  }

  #hear(line: Buffer): void {
    // Chatter beyond what is kept need not be understood, only told apart from an answer.
    if (this.#stray.length >= strayLines && !line.includes("jsonrpc")) return;
    const read = this.#wire.read(line, this.#expectedId);
    if (read.kind === "stray") this.#keep(read.what, read.text);
    else if (this.#settle === null) this.#keep("an answer nobody waits for", textOrBase64(line));
    else this.#settle(read);
  }

  #keep(what: string, text: string): void {
    if (text !== "" && this.#stray.length < strayLines)
      this.#stray.push({ what, text: shorten(text, strayLineChars) });
  }

  #afterExit(exit: SkillExit): void {
    const { stdout } = this.process;
    const finish = () => {
      clearTimeout(timer);
      this.#reader.end();
      this.#finish({ kind: "exited", exit });
    };
    // Again one turn to read what is there, in case it was us who had no time.
    const timer = setTimeout(() => setImmediate(finish), drainMs);
    if (stdout.closed || stdout.readableEnded) finish();
    else stdout.once("close", finish);
  }

  #finish(end: Reply): void {
    this.#end ??= end;
    this.#settle?.(end);
  }
}
