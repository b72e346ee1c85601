import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import type { Evidence } from "../contract/outcome.ts";
import type { Sandbox, SkillCommand, SkillExit, SkillProcess } from "../contract/sandbox.ts";
import { withinMs } from "../shared/async/abort.ts";
import { informativeLine } from "../shared/text/informative-line.ts";
import { describeExit, unsafeIntegerWarning } from "./answers.ts";
import { describeReply } from "./describe-reply.ts";
import { cancellation, type LinkFault, type McpLink, type McpRoute } from "./mcp-link.ts";
import { readMessage } from "./mcp-message.ts";
import { chatterEvidence, noChatter, ProcessReader } from "./process-reader.ts";
import type { Reply } from "./process-session.ts";
import { farewellMs } from "./subprocess.ts";

/** A server on the pipes of a skill process: the SDK speaks, we start it, limit it and end its whole tree. */
export class ProcessLink implements McpLink, Transport {
  readonly transport: Transport = this;
  onmessage: Transport["onmessage"];
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  fault: LinkFault | null = null;
  readonly #process: SkillProcess;
  readonly #reader: ProcessReader;
  #hasUnsafeInteger = false;
  #lastRequest: RequestId = -1;

  constructor(process: SkillProcess, capBytes: number) {
    this.#process = process;
    this.#reader = new ProcessReader(process, capBytes, {
      onLine: (line) => this.fault === null && this.#readLine(line),
      onFlood: (bytes) => this.#break(describeFault({ kind: "flooded", bytes })),
      onEnd: (end) =>
        this.#break(
          end.kind === "exited" ? exitFault(end.exit, this.#reader.stderrTail) : describeFault(end),
        ),
    });
  }

  get isOver(): boolean {
    return this.fault !== null;
  }

  async start(): Promise<void> {
    try {
      await this.#process.started;
    } catch (error) {
      await this.#process.exited; // by then the reader has reported why
      throw error;
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && "method" in message) this.#lastRequest = message.id;
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  beginCall(): void {
    this.#reader.beginCall();
  }

  endCall(): void {}

  cancelCall(): void {
    void this.send(cancellation(this.#lastRequest));
  }

  onError(error: Error): void {
    this.#reader.keep("an error", error.message);
  }

  takeEvidence(): Pick<Evidence, "stray" | "stderrTail" | "warnings" | "network"> {
    const warnings = this.#hasUnsafeInteger ? { warnings: [unsafeIntegerWarning] } : {};
    this.#hasUnsafeInteger = false;
    return { ...chatterEvidence(this.#reader.takeChatter()), ...warnings };
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  async close(): Promise<void> {
    this.onclose?.();
    this.#process.stdin.end();
    if ((await withinMs(this.#process.exited, farewellMs)) === null) await this.#process.terminate();
  }

  #readLine(line: Buffer): void {
    const received = readMessage(line);
    switch (received.kind) {
      case "message":
        this.#hasUnsafeInteger ||= received.hasUnsafeInteger;
        this.onmessage?.(received.message);
        break;
      case "stray":
        this.#reader.keep("text", received.text);
        break;
      case "bad":
        this.#break(describeFault(received));
        break;
      case "idle":
        break;
      default:
        received satisfies never;
    }
  }

  /** Closes the connection, which rejects the pending request, and records the reason. */
  #break(fault: LinkFault): void {
    if (this.fault !== null) return;
    this.fault = fault;
    this.onclose?.();
    void this.#process.kill();
  }
}

/** Faults that any skill process can have share one wording. */
function describeFault(reply: Reply, received = ""): LinkFault {
  const chatter = { ...noChatter, stderrTail: received };
  const { latencyMs: _, stderrTail: __, ...fault } = describeReply(reply, chatter, { latencyMs: 0 }, 0);
  return fault as LinkFault;
}

function exitFault(exit: SkillExit, stderrTail: string): LinkFault {
  const fault = describeFault({ kind: "exited", exit }, stderrTail);
  if (fault.cause !== "crash" && fault.cause !== "no-response") return fault;
  const why = informativeLine(stderrTail);
  return {
    status: "failed",
    cause: exit.code === 0 ? "no-response" : "crash",
    message: `the server ended (${describeExit(exit)}) without an answer${why === "" ? "" : `: ${why}`}`,
  };
}

/** A server of its own for every connection, as a process of the skill. */
export function processRoute(
  sandbox: Sandbox,
  command: Omit<SkillCommand, "deadlineMs">,
  maxOutputBytes: number,
): McpRoute<ProcessLink> {
  return {
    open: () => new ProcessLink(sandbox.start({ ...command, deadlineMs: null }), maxOutputBytes),
    instead: () => null,
    keep: () => {},
    isForgotten: () => false,
    async [Symbol.asyncDispose]() {},
  };
}
