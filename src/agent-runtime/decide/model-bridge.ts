import type { AgentMessage, AgentModel, AgentReply } from "../../contract/agent-parts.ts";
import type { ChatMessage, Model, ModelFault, ModelOutcome } from "../../contract/model.ts";
import { shorten } from "../../shared/text/visible-text.ts";

interface BridgeOptions {
  /** Which repetition of the case this run is: recordings keep them apart. */
  trial: number;
  temperature: number;
  maxOutputTokens?: number | undefined;
}

/** Any model as one that an agent asks. It must not try again by itself: every try counts against the run. */
export function bridgedModel(
  model: Model,
  { trial, temperature, maxOutputTokens }: BridgeOptions,
): AgentModel {
  return {
    id: model.id,
    identity: { model: model.identity, temperature, maxOutputTokens: maxOutputTokens ?? null },
    async call({ messages, schema, ordinal }, { signal, onBytes }) {
      const request = {
        messages: chatMessages(messages),
        temperature,
        maxOutputTokens,
        schema,
        trial,
        ordinal,
      };
      if (onBytes === undefined) return replyFrom(await model.call(request, { signal }), ordinal);
      const pieces = bytesOfPieces(onBytes);
      const outcome = await model.call(request, { signal, onText: pieces.write });
      if (outcome.status === "answered") pieces.end();
      return replyFrom(outcome, ordinal);
    },
  };
}

/**
 * Our four roles in the three that every provider knows. Some take one system message, and only as the first:
 * later developer messages are sent as the user. Adjacent messages of one role are merged, since some providers refuse them.
 */
function chatMessages(messages: readonly AgentMessage[]): ChatMessage[] {
  const chat: ChatMessage[] = [];
  for (const { role: given, text } of messages) {
    const last = chat.at(-1);
    const isOpening = last === undefined || last.role === "system";
    const isOurs = given === "system" || given === "developer";
    const role = isOurs ? (isOpening ? "system" : "user") : given;
    if (last?.role === role) last.text += `\n\n${text}`;
    else chat.push({ role, text });
  }
  return chat;
}

function replyFrom(outcome: ModelOutcome, ordinal: number): AgentReply {
  if (outcome.status === "answered") {
    const { text, usage } = outcome;
    if (usage === null) return { status: "answered", text, usage };
    const { promptTokens: input_tokens, completionTokens: output_tokens, costUsd: cost_usd } = usage;
    return { status: "answered", text, usage: { input_tokens, output_tokens, cost_usd } };
  }
  const { fault, retryAfterMs } = outcome;
  return {
    status: "failed",
    fault: faultKind(fault),
    message: modelFaultWords(outcome, ordinal),
    retryAfterMs,
  };
}

function faultKind(fault: ModelFault): Extract<AgentReply, { status: "failed" }>["fault"] {
  switch (fault) {
    case "timeout":
    case "rate-limited":
    case "unavailable":
      return "retryable";
    case "refused":
    case "bad-reply": // an endpoint that speaks another language, or a damaged recording: both stay as they are
      return "final";
    case "not-recorded":
      return "cassette-miss";
    case "budget":
      return "budget";
    default:
      return fault satisfies never;
  }
}

/** Text that comes in pieces, as bytes. A piece may end inside a surrogate pair: its half waits for the other. */
function bytesOfPieces(onBytes: (bytes: Uint8Array) => void): {
  write: (piece: string) => void;
  end: () => void;
} {
  let half = "";
  const send = (text: string) => {
    if (text !== "") onBytes(encoder.encode(text));
  };
  return {
    write(piece) {
      const text = half + piece;
      const last = text.charCodeAt(text.length - 1);
      const isHalf = last >= 0xd800 && last <= 0xdbff;
      half = isHalf ? text.slice(-1) : "";
      send(isHalf ? text.slice(0, -1) : text);
    },
    end() {
      send(half);
      half = "";
    },
  };
}

const encoder = new TextEncoder();

const maxMessageLength = 500;
const cassetteFile = /[0-9a-f]{64}\.json/;

/** Why a model gave no reply, for a log. Messages about recordings name a folder of the machine, which a log must not. */
export function modelFaultWords(
  { fault, message }: { fault: ModelFault; message: string },
  ordinal: number,
): string {
  const [file] = cassetteFile.exec(message) ?? [];
  if (fault === "not-recorded")
    return `no recording of call ${ordinal} of this run${file === undefined ? "" : ` (${file})`}; record it again with --record`;
  if (fault === "bad-reply" && file !== undefined) return `the recording ${file} cannot be read`;
  return shorten(message, maxMessageLength);
}
