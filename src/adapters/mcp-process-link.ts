import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { StreamTail } from "../base/stream-tail.ts";
import { shorten } from "../base/visible-text.ts";
import { withinMs } from "../base/within.ts";
import type { Evidence } from "../contract/outcome.ts";
import type { SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { describeExit, unsafeIntegerWarning } from "./answer-words.ts";
import type { Reply } from "./conversation.ts";
import { outcomeOfReply } from "./describe-reply.ts";
import { LineReader } from "./line-reader.ts";
import { cancellation } from "./mcp-cancellation.ts";
import type { LinkFault, McpLink } from "./mcp-link.ts";
import { readMessage } from "./mcp-message.ts";
import { farewellMs } from "./subprocess.ts";

const stderrCapBytes = 65_536;
const strayLines = 16;
const strayLineChars = 4096;
/** After the exit, what the server had written is in the pipe already; a stranger holding it open is not waited for. */
const drainMs = 100;

/** A server on the pipes of a skill process: the SDK speaks, we start it, limit it and end its whole tree. */
export class ProcessLink implements McpLink, Transport {
  readonly transport: Transport = this;
  onmessage: Transport["onmessage"];
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  fault: LinkFault | null = null;
  readonly #process: SkillProcess;
  readonly #reader: LineReader;
  readonly #stderr = new StreamTail(stderrCapBytes);
  #stray: string[] = [];
  #hasUnsafeInteger = false;
  #lastRequest: RequestId = -1;

  constructor(process: SkillProcess, capBytes: number) {
    this.#process = process;
    this.#reader = new LineReader(
      capBytes,
      (line) => this.#hear(line),
      () => this.#break(faultOf({ kind: "flooded", bytes: this.#reader.bytesSeen })),
    );
    process.stdout.on("data", (chunk: Buffer) => this.fault === null && this.#reader.take(chunk));
    process.stderr.on("data", (chunk: Buffer) => this.#stderr.take(chunk));
    process.started.catch((error: Error) => this.#break(faultOf({ kind: "not-started", error })));
    void process.exited.then((exit) => this.#afterExit(exit));
  }

  get isOver(): boolean {
    return this.fault !== null;
  }

  start(): Promise<void> {
    return this.#process.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && "method" in message) this.#lastRequest = message.id;
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  beginCall(): void {
    this.#reader.reset();
  }

  endCall(): void {}

  cancelCall(): void {
    void this.send(cancellation(this.#lastRequest));
  }

  hearError(error: Error): void {
    this.#keep(error.message);
  }

  takeEvidence(): Pick<Evidence, "stray" | "stderrTail" | "warnings"> {
    const [stray, stderrTail, hasUnsafeInteger] = [this.#stray, this.#stderr.text(), this.#hasUnsafeInteger];
    this.#stray = [];
    this.#stderr.clear();
    this.#hasUnsafeInteger = false;
    return {
      ...(stray.length > 0 && { stray }),
      ...(stderrTail !== "" && { stderrTail }),
      ...(hasUnsafeInteger && { warnings: [unsafeIntegerWarning] }),
    };
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  async close(): Promise<void> {
    this.onclose?.();
    this.#process.stdin.end();
    if ((await withinMs(this.#process.exited, farewellMs)) === null) await this.#process.terminate();
  }

  #hear(line: Buffer): void {
    const heard = readMessage(line);
    switch (heard.kind) {
      case "message":
        this.#hasUnsafeInteger ||= heard.hasUnsafeInteger;
        this.onmessage?.(heard.message);
        break;
      case "stray":
        this.#keep(heard.text);
        break;
      case "bad":
        this.#break(faultOf(heard));
        break;
      case "idle":
        break;
      default:
        heard satisfies never;
    }
  }

  #keep(text: string): void {
    if (this.#stray.length < strayLines) this.#stray.push(shorten(text, strayLineChars));
  }

  #afterExit(exit: SkillExit): void {
    const { stdout } = this.#process;
    const finish = () => {
      clearTimeout(timer);
      this.#reader.end();
      this.#break(exitFault(exit, this.#stderr.text()));
    };
    // One turn to read what is there, in case it was us who had no time.
    const timer = setTimeout(() => setImmediate(finish), drainMs);
    if (stdout.closed || stdout.readableEnded) finish();
    else stdout.once("close", finish);
  }

  /** Whoever waits hears that the connection is over, and finds the reason here. */
  #break(fault: LinkFault): void {
    if (this.fault !== null) return;
    this.fault = fault;
    this.onclose?.();
    void this.#process.kill();
  }
}

/** What is the same for every skill process has the same words. */
function faultOf(reply: Reply): LinkFault {
  const { latencyMs: _, ...fault } = outcomeOfReply(
    reply,
    { stray: [], stderrTail: "" },
    { latencyMs: 0 },
    0,
  );
  return fault as LinkFault;
}

function exitFault(exit: SkillExit, stderrTail: string): LinkFault {
  if (exit.limit !== null) return faultOf({ kind: "exited", exit });
  const lastWords = stderrTail.trim().split("\n").slice(-3).join("\n");
  return {
    status: "failed",
    cause: exit.code === 0 ? "no-response" : "crash",
    message: `the server ended (${describeExit(exit)}) without an answer${lastWords === "" ? "" : `: ${shorten(lastWords, 500)}`}`,
  };
}
