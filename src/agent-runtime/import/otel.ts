import { parseStrictJson } from "../../shared/json/strict-json.ts";
import type { Importer } from "./importer.ts";
import { type GenAiSpan, isOtel, type OtelSpans, otelSpans } from "./otel-spans.ts";
import { argumentsIn, contentText, listIn, mapIn, numberIn, textIn } from "./read-values.ts";
import { commonTools } from "./tool-map.ts";
import type { TraceCall, TraceUsage } from "./trace.ts";
import type { OpenTurn, TraceBuilder } from "./trace-builder.ts";

/** Spans of the conventions for generative AI: a call of a model is a turn, the tools that follow it are its calls. */
export const otel: Importer = {
  kind: "otel",
  tools: commonTools,
  recognizes: isOtel,
  mayRepeat: () => true,
  read(items, builder) {
    const found = otelSpans(items);
    const traceIds = [...new Set(found.spans.map(({ traceId }) => traceId))];
    for (const traceId of traceIds) {
      builder.next();
      const spans = found.spans.filter((span) => span.traceId === traceId);
      new OtelReader(builder, spans, found.parents).read(found);
    }
  },
};

const modelOperations: ReadonlySet<string> = new Set(["chat", "generate_content", "text_completion"]);
/** Operations that say nothing about what an agent did. */
const silentOperations: ReadonlySet<string> = new Set(["embeddings", "create_agent", "retrieval"]);
const silentParts: ReadonlySet<string> = new Set(["reasoning", "thinking", "blob", "uri", "file", "image"]);

class OtelReader {
  readonly #builder: TraceBuilder;
  readonly #spans: readonly GenAiSpan[];
  readonly #parents: ReadonlyMap<string, string>;
  readonly #tools: ReadonlyMap<string, GenAiSpan>;
  /** Where no model call is recorded, an agent has still replied. */
  readonly #replies: ReadonlySet<string>;
  /** By the call that started their agent. */
  readonly #lastTurns = new Map<string | null, OpenTurn>();
  readonly #turnCounts = new Map<string | null, number>();
  /** Agents whose replies are recorded with what they call. */
  readonly #telling = new Set<string | null>();

  constructor(builder: TraceBuilder, spans: readonly GenAiSpan[], parents: ReadonlyMap<string, string>) {
    this.#builder = builder;
    this.#spans = spans;
    this.#parents = parents;
    this.#tools = new Map(
      spans.filter(({ operation }) => operation === "execute_tool").map((span) => [span.id, span]),
    );
    const hasModels = spans.some(({ operation }) => modelOperations.has(operation));
    this.#replies = hasModels ? modelOperations : new Set(["invoke_agent"]);
  }

  read({ problems, others }: OtelSpans): void {
    const agent = this.#spans.find(
      (span) => span.operation === "invoke_agent" && this.#parentCall(span) === null,
    );
    const first = this.#spans.find(({ operation }) => this.#replies.has(operation));
    this.#learn({ ...agent?.attributes, ...first?.attributes });
    const request = [agent, first]
      .map((span) => firstRequest(span?.attributes["gen_ai.input.messages"]))
      .find((text) => text !== null);
    if (request != null) this.#builder.prompt(request);
    // What cannot be read may belong to any of the traces.
    for (const { place, kind, content } of problems) {
      this.#builder.at(place);
      this.#builder.unknown(kind, content);
    }
    for (let n = 0; n < others; n++) this.#builder.ignore("other span");
    for (const span of this.#spans) this.#readSpan(span);
    // Spans of one trace have one root: of others something above them is missing.
    if (new Set(this.#spans.map((span) => this.#root(span))).size > 1)
      this.#builder.unknown("gap", "several roots");
    const answer = textOfParts(messagesIn(agent?.attributes["gen_ai.output.messages"]));
    if (answer !== "") this.#builder.answer(answer);
    if (agent?.isError === true)
      this.#builder.end({ answer: null, stop: { status: "failed", reason: "internal_error" }, usage: null });
  }

  #learn(attributes: Record<string, unknown>): void {
    const hasMessages = this.#spans.some(
      (span) => messagesIn(span.attributes["gen_ai.output.messages"]) !== null,
    );
    this.#builder.learn({
      model: {
        provider: textIn(attributes["gen_ai.provider.name"]) ?? textIn(attributes["gen_ai.system"]),
        name: textIn(attributes["gen_ai.response.model"]) ?? textIn(attributes["gen_ai.request.model"]),
      },
      recordsCalls: this.#tools.size > 0 || hasMessages,
    });
  }

  #readSpan(span: GenAiSpan): void {
    this.#builder.at(span.place);
    if (this.#replies.has(span.operation)) {
      this.#readHistory(span);
      this.#readReply(span);
    } else if (span.operation === "execute_tool") this.#readTool(span);
    else if (span.operation === "invoke_agent" || silentOperations.has(span.operation))
      this.#builder.ignore(span.operation);
    else this.#builder.unknown("item", span);
  }

  #readReply(span: GenAiSpan): void {
    const { attributes, startMs, endMs } = span;
    const messages = messagesIn(attributes["gen_ai.output.messages"]);
    const reasons = finishReasons(attributes, messages);
    const parentCall = this.#parentCall(span);
    // Each reply says itself whether it calls: between two of them nothing is missing.
    this.#builder.boundary();
    const turn = this.#builder.reply(null, {
      parentCall,
      atMs: startMs,
      durationMs: startMs === null || endMs === null ? null : Math.max(0, endMs - startMs),
    });
    turn.usage = readUsage(attributes);
    this.#lastTurns.set(parentCall, turn);
    this.#turnCounts.set(parentCall, (this.#turnCounts.get(parentCall) ?? 0) + 1);
    if (messages !== null) this.#telling.add(parentCall);
    for (const part of readParts(messages)) {
      if (part.type === "text") turn.texts.push({ text: contentText(part.content), pieces: [] });
      else if (part.type === "tool_call") {
        const given = argumentsIn(part.arguments ?? {});
        this.#builder.call(turn, { id: textIn(part.id), tool: textIn(part.name), given });
      } else if (!silentParts.has(textIn(part.type) ?? "")) this.#builder.unknown("item", part);
    }
    const isCallExpected = reasons.some((reason) => /tool/.test(reason));
    const isSilent =
      messages === null && (reasons.length === 0 || (isCallExpected && !this.#hasToolAfter(span)));
    const isCut = messages !== null && isCallExpected && turn.calls.length === 0;
    const hasParts = messages === null || readParts(messages).length > 0;
    if (isSilent || isCut || !hasParts) this.#builder.unknown("reply", attributes);
  }

  /** Whether a tool of the same agent began before its next reply. */
  #hasToolAfter(span: GenAiSpan): boolean {
    const parent = this.#parentCall(span);
    const own = this.#spans.filter((one) => this.#parentCall(one) === parent);
    const next = own.slice(own.indexOf(span) + 1).find(({ operation }) => operation !== "invoke_agent");
    return next?.operation === "execute_tool";
  }

  #readTool(span: GenAiSpan): void {
    const { attributes } = span;
    const named = textIn(attributes["gen_ai.tool.call.id"]);
    const id = named ?? span.id;
    const tool = textIn(attributes["gen_ai.tool.name"]);
    const given = argumentsIn(attributes["gen_ai.tool.call.arguments"]);
    const parent = this.#parentCall(span);
    const announced = this.#builder.openCall(id);
    // Replies that say what they call would have said this: one is missing.
    if (announced === undefined && named !== null && this.#telling.has(parent))
      this.#builder.unknown("gap", named);
    const call = announced ?? this.#builder.call(this.#turnFor(span, parent), { id, tool, given });
    if (tool !== null && call.tool !== tool) this.#builder.unknown("item", span);
    call.tool ||= tool ?? "";
    call.arguments ??= given;
    const fault = textIn(attributes["error.type"]);
    const isError = span.isError || fault !== null;
    const text = contentText(attributes["gen_ai.tool.call.result"]) || (isError ? (fault ?? "") : "");
    this.#builder.result(id, { text, isError }, { isNested: parent !== null });
  }

  /** The last reply of the same agent; of a tool that none of them called, one that is missing. */
  #turnFor(span: GenAiSpan, parentCall: string | null): OpenTurn {
    const turn = this.#lastTurns.get(parentCall);
    if (turn !== undefined) return turn;
    this.#builder.unknown("gap", span.id);
    const missing = this.#builder.reply(null, { parentCall, atMs: span.startMs });
    this.#lastTurns.set(parentCall, missing);
    return missing;
  }

  /** What was said before a reply: results of tools without a span, and replies that have none. */
  #readHistory(span: GenAiSpan): void {
    const messages = messagesIn(span.attributes["gen_ai.input.messages"]);
    const parent = this.#parentCall(span);
    const replies = listIn(messages).filter((message) => mapIn(message).role === "assistant").length;
    if (replies > (this.#turnCounts.get(parent) ?? 0)) this.#builder.unknown("gap", messages);
    for (const part of readParts(messages)) {
      const id = textIn(part.id);
      if (part.type === "tool_call" && id !== null && this.#builder.lastCall(id) === undefined)
        this.#builder.unknown("gap", part);
      if (part.type === "tool_call_response") this.#readResponse(id, part);
    }
  }

  #readResponse(id: string | null, part: Record<string, unknown>): void {
    const text = contentText(part.response ?? part.result);
    if (this.#builder.openCall(id) !== undefined) {
      this.#builder.result(id, { text, isError: null }, { isNested: true });
      return;
    }
    const call: TraceCall | undefined = this.#builder.lastCall(id);
    if (call?.result?.text === "") call.result = { ...call.result, text };
  }

  /** The call of a tool that this span is within. */
  #parentCall(span: GenAiSpan): string | null {
    let at = span.parentId;
    for (let steps = 0; at !== null && steps < maxSteps; steps++) {
      const tool = this.#tools.get(at);
      if (tool !== undefined) return textIn(tool.attributes["gen_ai.tool.call.id"]) ?? tool.id;
      at = this.#parents.get(at) ?? null;
    }
    return null;
  }

  /** The first span above this one, whether or not it is there. */
  #root(span: GenAiSpan): string {
    let at = span.id;
    for (let steps = 0; steps < maxSteps; steps++) {
      const parent = this.#parents.get(at);
      if (parent === undefined) return at;
      at = parent;
    }
    return at;
  }
}

const maxSteps = 1000;

/** Why replies ended: those of the span, or of its messages. */
function finishReasons(attributes: Record<string, unknown>, messages: readonly unknown[] | null): string[] {
  const listed = listIn(attributes["gen_ai.response.finish_reasons"]);
  const said = listIn(messages).map((message) => mapIn(message).finish_reason);
  return [...listed, ...said].flatMap((reason) => textIn(reason) ?? []);
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
