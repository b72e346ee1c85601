import type { CallLimits } from "../contract/outcome.ts";
import type { SkillProcess } from "../contract/sandbox.ts";
import type { Json } from "../shared/json/json.ts";
import { textOrBase64 } from "../shared/text/bytes-to-text.ts";
import { type Codec, type RpcReply, rpcCodec } from "./json-rpc.ts";
import { type Chatter, type ProcessEnd, ProcessReader } from "./process-reader.ts";
import { withinDeadline } from "./within-deadline.ts";

export type Reply = RpcReply | ProcessEnd | { kind: "flooded"; bytes: number } | { kind: "silent" };

export interface Question extends CallLimits {
  id: number;
  input: Json;
  /** A process that serves one call learns by the end of its input that nothing more comes. */
  isLast: boolean;
}

/** A session with a skill process: one question at a time, and whatever else it prints is stored as chatter. */
export class ProcessSession {
  readonly process: SkillProcess;
  readonly #codec: Codec;
  readonly #reader: ProcessReader;
  #expectedId = -1;
  #settle: ((reply: Reply) => void) | null = null;
  /** Set when the process has ended: later requests fail at once. */
  #end: ProcessEnd | null = null;

  constructor(process: SkillProcess, capBytes: number, codec: Codec = rpcCodec) {
    this.process = process;
    this.#codec = codec;
    this.#reader = new ProcessReader(process, capBytes, {
      onLine: (line) => this.#readLine(line),
      onFlood: (bytes) => this.#settle?.({ kind: "flooded", bytes }),
      onEnd: (end) => {
        this.#end ??= end;
        this.#settle?.(end);
      },
    });
    if (codec.greeting !== "") process.stdin.write(codec.greeting);
  }

  takeChatter(): Chatter {
    return this.#reader.takeChatter();
  }

  /** Puts a question and settles with the first thing that decides it. Throws only when the run is interrupted. */
  async ask(question: Question): Promise<Reply> {
    question.signal.throwIfAborted();
    if (this.#end !== null) return this.#end;
    this.#reader.beginCall();
    try {
      return (await withinDeadline(this.#replyTo(question), question)) ?? { kind: "silent" };
    } finally {
      this.#settle = null;
    }
  }

  #replyTo({ id, input, deadlineMs, isLast }: Question): Promise<Reply> {
    return new Promise((resolve) => {
      this.#expectedId = id;
      this.#settle = (reply) => {
        this.#settle = null; // a second reply is ignored
        resolve(reply);
      };
      const request = this.#codec.request(id, input, deadlineMs);
      if (isLast) this.process.stdin.end(request);
      else this.process.stdin.write(request);
    });
  }

  #readLine(line: Buffer): void {
    // Chatter beyond what is stored need not be parsed, only distinguished from an answer.
    if (this.#reader.isFull && !line.includes("jsonrpc")) return;
    const read = this.#codec.read(line, this.#expectedId);
    if (read.kind === "stray") this.#reader.keep(read.what, read.text);
    else if (this.#settle === null) this.#reader.keep("an answer to no pending request", textOrBase64(line));
    else this.#settle(read);
  }
}
