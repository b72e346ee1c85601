import type { Action, PlanUpdate } from "../../contract/agent-action.ts";
import type { encodings, MockScript, MockTurn } from "../../contract/agent-case.ts";
import type { AgentMessage, AgentModel, AgentReply } from "../../contract/agent-parts.ts";
import type { Clock } from "../../shared/async/clock.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { promptText } from "./prompt-text.ts";

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
      const text = replyText(turn);
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

function replyText({ action, plan_update, diagnostics, raw, encoding }: MockTurn): string {
  if (action === undefined) return raw ?? "";
  const decision = { action, plan_update: plan_update ?? null, diagnostics: diagnostics ?? null };
  return encodeReply(decision, encoding);
}

const encoder = new TextEncoder();

function sendInChunks(text: string, chunkBytes: number, onBytes: (bytes: Uint8Array) => void): void {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) onBytes(bytes.subarray(at, at + chunkBytes));
}

interface ScriptedDecision {
  action: Action;
  plan_update: PlanUpdate | null;
  diagnostics: JsonObject | null;
}

/** A decision as a model might write it: the same object in other characters. */
function encodeReply(decision: ScriptedDecision, encoding: (typeof encodings)[number]): string {
  switch (encoding) {
    case "compact":
      return JSON.stringify(decision);
    case "pretty":
      return JSON.stringify(decision, null, 2);
    case "fenced":
      return `\`\`\`json\n${JSON.stringify(decision, null, 2)}\n\`\`\``;
    case "escaped":
      return escaped(JSON.stringify(decision));
    case "payload_first": {
      const { action, plan_update, diagnostics } = decision;
      return JSON.stringify({
        diagnostics,
        plan_update,
        action: { payload: action.payload, type: action.type },
      });
    }
    default:
      return encoding satisfies never;
  }
}

/** JSON text with more escapes than it needs: all that is not ASCII, and some letters and slashes, in keys too. */
function escaped(json: string): string {
  let text = "";
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at] as string;
    if (char === "\\") {
      const length = json[at + 1] === "u" ? 6 : 2; // it is an escape already
      text += json.slice(at, at + length);
      at += length - 1;
      continue;
    }
    if (char === '"') isInString = !isInString;
    text += isInString ? escapedChar(char) : char;
  }
  return text;
}

const letters = "aeio";

function escapedChar(char: string): string {
  if (char === "/") return "\\/";
  if (char <= "\u007f" && !letters.includes(char)) return char;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What a script expects in a prompt and did not find there, and what it found and should not have. */
function expectedContext(
  { contains = [], not_contains = [] }: NonNullable<MockTurn["expect_context"]>,
  messages: readonly AgentMessage[],
): { ok: boolean; missing: string[]; present: string[] } {
  const prompt = promptText(messages);
  const missing = contains.filter((text) => !prompt.includes(text));
  const present = not_contains.filter((text) => prompt.includes(text));
  return { ok: missing.length === 0 && present.length === 0, missing, present };
}
