import type { MockScript, MockTurn } from "../../contract/agent-case.ts";
import type { AgentModel, AgentReply } from "../../contract/agent-parts.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { encodeReply } from "./encode-reply.ts";
import { expectedContext } from "./expected-context.ts";

/** A model that says what its script says, one entry per call, in bytes cut where the script wants them. */
export function scriptModel({ turns, streaming }: MockScript, clock: Clock): AgentModel {
  const chunkBytes = streaming?.enabled === false ? Number.POSITIVE_INFINITY : (streaming?.chunk_bytes ?? 16);
  let used = 0;
  return {
    id: "mock",
    identity: { provider: "mock", model: "mock" },
    async call({ messages }, { signal, onBytes }) {
      signal.throwIfAborted();
      const index = used;
      const turn = turns[index];
      if (turn === undefined) return usedUp(turns.length);
      used++;
      if (turn.delay_ms) await clock.sleep(turn.delay_ms, signal);
      const mock = {
        index,
        ...(turn.expect_context && { expect_context: expectedContext(turn.expect_context, messages) }),
      };
      if (turn.error !== undefined) return { ...failure(turn.error), mock };
      const text = textOf(turn);
      if (onBytes !== undefined) sendInChunks(text, chunkBytes, onBytes);
      return { status: "answered", text, usage: null, mock };
    },
    scriptUse: () => ({ used, unused: turns.length - used }),
  };
}

type Failure = Extract<AgentReply, { status: "failed" }>;

function usedUp(turns: number): Failure {
  const message = `the script is used up: it has ${turns} ${turns === 1 ? "entry" : "entries"}`;
  return { status: "failed", fault: "mock-exhausted", message };
}

function failure(error: NonNullable<MockTurn["error"]>): Failure {
  switch (error.kind) {
    case "http": {
      const fault = mayPass(error.status) ? "retryable" : "final";
      return { status: "failed", fault, message: `HTTP ${error.status}`, retryAfterMs: error.retry_after_ms };
    }
    case "network":
      return { status: "failed", fault: "retryable", message: "the network failed" };
    case "timeout":
      return { status: "failed", fault: "retryable", message: "no reply in time" };
    default:
      return error satisfies never;
  }
}

function mayPass(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

function textOf({ action, plan_update, diagnostics, raw, encoding }: MockTurn): string {
  if (action === undefined) return raw ?? "";
  const decision = { action, plan_update: plan_update ?? null, diagnostics: diagnostics ?? null };
  return encodeReply(decision, encoding);
}

const encoder = new TextEncoder();

function sendInChunks(text: string, chunkBytes: number, onBytes: (bytes: Uint8Array) => void): void {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) onBytes(bytes.subarray(at, at + chunkBytes));
}
