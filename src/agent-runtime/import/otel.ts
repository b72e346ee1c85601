import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { type GenAiSpan, otelSpans } from "./otel-spans.ts";
import {
  argumentsIn,
  contentText,
  type LocatedValue,
  listIn,
  mapIn,
  numberIn,
  textIn,
} from "./read-values.ts";
import type { Trace, TraceCall, TraceTurn, TraceUsage } from "./trace.ts";

interface Turn extends TraceTurn {
  span: GenAiSpan;
  texts: { text: string; pieces: string[] }[];
  calls: TraceCall[];
}

const modelOperations: ReadonlySet<string> = new Set(["chat", "generate_content", "text_completion"]);

/** Reads spans of the conventions for generative AI: a call of a model is a turn, the tools that follow it are its calls. */
export function readOtel(values: readonly LocatedValue[]): Trace {
  const { spans: all, parents } = otelSpans(values);
  const traceIds = new Set(all.map(({ traceId }) => traceId));
  const [traceId] = traceIds;
  const spans = all.filter((span) => span.traceId === traceId);
  const reader = new OtelReader(spans, parents);
  const trace = reader.trace();
  if (traceIds.size < 2) return trace;
  const left = `the file contains ${pluralize(traceIds.size, "trace")}; only the first, ${shorten(traceId ?? "", 40)}, was imported`;
  return { ...trace, warnings: [left, ...trace.warnings] };
}

class OtelReader {
  readonly #spans: readonly GenAiSpan[];
  readonly #parents: ReadonlyMap<string, string>;
  readonly #tools: ReadonlyMap<string, GenAiSpan>;
  readonly #calls = new Map<string, TraceCall>();
  readonly #turns: Turn[] = [];
  /** By the call that started their agent. */
  readonly #turnsOf = new Map<string | null, Turn[]>();
  readonly #warnings: string[] = [];
  #hasMessages = false;

  constructor(spans: readonly GenAiSpan[], parents: ReadonlyMap<string, string>) {
    this.#spans = spans;
    this.#parents = parents;
    this.#tools = new Map(
      spans.filter(({ operation }) => operation === "execute_tool").map((span) => [span.id, span]),
    );
    for (const span of spans) if (modelOperations.has(span.operation)) this.#readReply(span);
    // An agent that does not record its model calls has still replied.
    if (this.#turns.length === 0)
      for (const span of spans) if (span.operation === "invoke_agent") this.#readReply(span);
    for (const span of this.#tools.values()) this.#readTool(span);
    for (const span of spans) this.#readResults(span);
  }

  #readReply(span: GenAiSpan): void {
    const { attributes } = span;
    const messages = messagesIn(attributes["gen_ai.output.messages"]);
    if (messages !== null) this.#hasMessages = true;
    const turn: Turn = {
      span,
      parentCall: this.#parentCall(span),
      atMs: span.startMs,
      durationMs:
        span.startMs === null || span.endMs === null ? null : Math.max(0, span.endMs - span.startMs),
      usage: readUsage(attributes),
      texts: [],
      calls: [],
    };
    this.#turns.push(turn);
    const own = this.#turnsOf.get(turn.parentCall);
    if (own === undefined) this.#turnsOf.set(turn.parentCall, [turn]);
    else own.push(turn);
    for (const part of readParts(messages)) {
      if (part.type === "text") turn.texts.push({ text: contentText(part.content), pieces: [] });
      if (part.type === "tool_call") this.#addCall(turn, part.id, part.name, part.arguments ?? {});
    }
  }

  #addCall(turn: Turn, callId: unknown, name: unknown, given: unknown): TraceCall {
    const id = textIn(callId);
    const tool = textIn(name) ?? "unnamed";
    const call: TraceCall = { id, tool, arguments: argumentsIn(given), result: null, denied: null };
    turn.calls.push(call);
    if (id !== null) this.#calls.set(id, call);
    return call;
  }

  #readTool(span: GenAiSpan): void {
    const { attributes } = span;
    const id = textIn(attributes["gen_ai.tool.call.id"]) ?? span.id;
    const name = attributes["gen_ai.tool.name"];
    const given = attributes["gen_ai.tool.call.arguments"];
    const result = attributes["gen_ai.tool.call.result"];
    const turn = this.#turnBefore(span);
    const known = this.#calls.get(id);
    if (known === undefined && turn === undefined) {
      this.#warnings.push(`the span ${shorten(span.id, 40)} of a tool belongs to no model call`);
      return;
    }
    const call = known ?? this.#addCall(turn as Turn, id, name, given);
    call.arguments ??= argumentsIn(given);
    const fault = textIn(attributes["error.type"]);
    const isError = span.isError || fault !== null;
    call.result = { text: contentText(result) || (isError ? (fault ?? "") : ""), isError };
  }

  /** Of the same agent, the last that began before it; both are in order of time. */
  #turnBefore(span: GenAiSpan): Turn | undefined {
    const own = this.#turnsOf.get(this.#parentCall(span)) ?? [];
    let low = 0;
    let high = own.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((own[middle]?.atMs ?? 0) <= (span.startMs ?? 0)) low = middle + 1;
      else high = middle;
    }
    return own[Math.max(0, low - 1)];
  }

  /** Results found in the next model request, where the tool has no span. */
  #readResults(span: GenAiSpan): void {
    for (const part of readParts(messagesIn(span.attributes["gen_ai.input.messages"]))) {
      const call = part.type === "tool_call_response" ? this.#calls.get(textIn(part.id) ?? "") : undefined;
      if (call !== undefined && (call.result === null || call.result.text === ""))
        call.result = {
          text: contentText(part.response ?? part.result),
          isError: call.result?.isError ?? null,
        };
    }
  }

  /** The call of a tool that this span is within. */
  #parentCall(span: GenAiSpan): string | null {
    let at = span.parentId;
    for (let steps = 0; at !== null && steps < 1000; steps++) {
      const tool = this.#tools.get(at);
      if (tool !== undefined) return textIn(tool.attributes["gen_ai.tool.call.id"]) ?? tool.id;
      at = this.#parents.get(at) ?? null;
    }
    return null;
  }

  trace(): Trace {
    const agent = this.#spans.find(
      (span) => span.operation === "invoke_agent" && this.#parentCall(span) === null,
    );
    const first = this.#turns[0]?.span;
    const inputs = [agent, first].map((span) => span?.attributes["gen_ai.input.messages"]);
    const attributes = { ...agent?.attributes, ...first?.attributes };
    return {
      model: {
        provider: textIn(attributes["gen_ai.provider.name"]) ?? textIn(attributes["gen_ai.system"]),
        name: textIn(attributes["gen_ai.response.model"]) ?? textIn(attributes["gen_ai.request.model"]),
      },
      request: inputs.map(firstRequest).find((text) => text !== null) ?? null,
      cwd: null,
      tools: null,
      skills: null,
      skillFolders: [],
      turns: this.#turns,
      answer: textIn(textOfParts(messagesIn(agent?.attributes["gen_ai.output.messages"]))),
      stop: agent?.isError === true ? { status: "failed", reason: "internal_error" } : null,
      usage: null,
      recordsDenials: false,
      recordsCalls: this.#tools.size > 0 || this.#hasMessages,
      warnings: this.#warnings,
    };
  }
}

/** Messages as values, or as the JSON text of them; null where none were captured. */
function messagesIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return null;
  const parsed = parseStrictJson(value);
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value : null;
}

function readParts(messages: readonly unknown[] | null): Record<string, unknown>[] {
  return listIn(messages).flatMap((message) => listIn(mapIn(message).parts).map(mapIn));
}

function textOfParts(messages: readonly unknown[] | null): string {
  return readParts(messages)
    .filter(({ type }) => type === "text")
    .map(({ content }) => contentText(content))
    .join("");
}

function firstRequest(value: unknown): string | null {
  const user = listIn(messagesIn(value)).find((message) => mapIn(message).role === "user");
  return user === undefined ? null : textIn(textOfParts([user]));
}

function readUsage(attributes: Record<string, unknown>): TraceUsage | null {
  const input = numberIn(attributes["gen_ai.usage.input_tokens"]);
  const output = numberIn(attributes["gen_ai.usage.output_tokens"]);
  return input === null && output === null
    ? null
    : { input_tokens: input, output_tokens: output, cost_usd: null };
}
