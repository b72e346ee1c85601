import { isMap } from "../../shared/json/json-values.ts";
import { shorten } from "../../shared/text/visible-text.ts";
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
  texts: { text: string; pieces: string[] }[];
  calls: TraceCall[];
  usage: TraceUsage | null;
}

/** Reads a conversation in an OpenAI format: chat messages, or items of Responses. */
export function readOpenai(values: readonly LocatedValue[]): Trace {
  const reader = new OpenaiReader();
  for (const { value, location } of values) reader.readAny(value, location, 0);
  return reader.trace();
}

class OpenaiReader {
  readonly #turns: Turn[] = [];
  readonly #calls = new Map<string, TraceCall>();
  readonly #warnings: string[] = [];
  /** The turn that further items of one response belong to; null after anything else than the model spoke. */
  #open: Turn | null = null;
  #request: string | null = null;
  #model: string | null = null;
  #tools: string[] | null = null;

  /** A message, an item, a list of them, or a request or reply that holds them. */
  readAny(value: unknown, location: string, depth: number): void {
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        if (depth < maxDepth) this.readAny(item, itemLocation(location, at), depth + 1);
      return;
    }
    if (!isMap(value)) return;
    const isHolder = holders.some((name) => Array.isArray(value[name]) || isMap(value[name]));
    if (isHolder && typeof value.role !== "string") this.#readHolder(value, location, depth);
    else this.#readItem(value, location);
  }

  #readHolder(value: Record<string, unknown>, location: string, depth: number): void {
    this.#model ??= textIn(value.model);
    if (Array.isArray(value.tools)) this.#tools = value.tools.map(mapIn).flatMap(toolName);
    const before = this.#turns.length;
    if (typeof value.input === "string") this.#request ??= value.input;
    for (const name of holders) {
      const held = value[name];
      if (name === "choices")
        for (const choice of listIn(held).slice(0, 1))
          this.readAny(mapIn(choice).message, location, depth + 1);
      else if (held !== undefined && typeof held !== "string" && depth < maxDepth)
        this.readAny(held, location, depth + 1);
    }
    const last = this.#turns.at(-1);
    const usage = readUsage(value.usage);
    if (last !== undefined && usage !== null && this.#turns.length > before) last.usage = usage;
  }

  #readItem(item: Record<string, unknown>, location: string): void {
    const { role, type } = item;
    if (role === "tool") this.#readResult(item.tool_call_id, item.content, location);
    else if (typeof type === "string" && type.endsWith("_output"))
      this.#readResult(item.call_id ?? item.id, item.output, location);
    else if (type === "reasoning") this.#open ??= this.#begin();
    else if (typeof type === "string" && type.endsWith("_call"))
      this.#readResponsesCall(item, type, location);
    else if (role === "assistant") this.#readReply(item, location);
    else if (role === "user") {
      this.#open = null;
      this.#request ??= textIn(contentText(item.content));
    } else if (role === "system" || role === "developer") this.#open = null;
    else this.#warnings.push(`${location}: neither a message nor a known item`);
  }

  #readReply(message: Record<string, unknown>, location: string): void {
    // Items of one response follow each other; a chat message is a response of its own.
    const isItem = message.type === "message";
    const turn = isItem && this.#open !== null ? this.#open : this.#begin();
    const text = contentText(message.content) || contentText(message.refusal);
    if (text !== "") turn.texts.push({ text, pieces: [] });
    for (const call of listIn(message.tool_calls).map(mapIn)) {
      const named = mapIn(call.function ?? call.custom);
      this.#addCall(turn, call.id, named.name, named.arguments ?? named.input, location);
    }
    this.#open = isItem ? turn : null;
  }

  #readResponsesCall(item: Record<string, unknown>, type: string, location: string): void {
    this.#open ??= this.#begin();
    // Tools of the provider have no name of their own: `web_search_call`, `local_shell_call`.
    const name = item.name ?? type.slice(0, -"_call".length);
    const given = item.arguments ?? item.input ?? item.action ?? {};
    this.#addCall(this.#open, item.call_id ?? item.id, name, given, location);
  }

  #begin(): Turn {
    const turn: Turn = { parentCall: null, atMs: null, durationMs: null, usage: null, texts: [], calls: [] };
    this.#turns.push(turn);
    return turn;
  }

  #addCall(turn: Turn, callId: unknown, name: unknown, given: unknown, location: string): void {
    const id = textIn(callId);
    const tool = textIn(name) ?? "unnamed";
    const parsed = argumentsIn(given);
    if (parsed === null)
      this.#warnings.push(`${location}: the arguments of ${shorten(tool, 80)} are not a JSON object`);
    if (id !== null && this.#calls.has(id)) {
      this.#warnings.push(`${location}: the call ${shorten(id, 80)} is a duplicate and was skipped`);
      return;
    }
    const call: TraceCall = { id, tool, arguments: parsed, result: null, denied: null };
    turn.calls.push(call);
    if (id !== null) this.#calls.set(id, call);
  }

  #readResult(callId: unknown, output: unknown, location: string): void {
    this.#open = null;
    const id = textIn(callId) ?? "";
    const call = this.#calls.get(id);
    // Whether it succeeded is not recorded.
    if (call !== undefined) call.result = { text: contentText(output), isError: null };
    else
      this.#warnings.push(
        `${location}: the result of ${shorten(id, 80) || "a call without id"} has no matching call`,
      );
  }

  trace(): Trace {
    return {
      // Many providers speak like OpenAI.
      model: { provider: null, name: this.#model },
      request: this.#request,
      cwd: null,
      tools: this.#tools,
      skills: null,
      skillFolders: [],
      turns: this.#turns,
      answer: null,
      stop: null,
      usage: null,
      recordsDenials: false,
      recordsCalls: true,
      warnings: this.#warnings,
    };
  }
}

/** Members that hold messages, in conversation order. */
const holders = ["request", "messages", "input", "choices", "output", "response"] as const;
const maxDepth = 6;

function itemLocation(location: string, at: number): string {
  return location === "" ? `item ${at + 1}` : `${location}, item ${at + 1}`;
}

function toolName(tool: Record<string, unknown>): string[] {
  const name = textIn(tool.name) ?? textIn(mapIn(tool.function).name);
  return name === null ? [] : [name];
}

function readUsage(value: unknown): TraceUsage | null {
  const usage = mapIn(value);
  const input = numberIn(usage.input_tokens) ?? numberIn(usage.prompt_tokens);
  const output = numberIn(usage.output_tokens) ?? numberIn(usage.completion_tokens);
  return input === null && output === null
    ? null
    : { input_tokens: input, output_tokens: output, cost_usd: null };
}
