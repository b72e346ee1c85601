import { isMap } from "../../shared/json/json-values.ts";
import type { Importer } from "./importer.ts";
import { callFields, holderFields, itemFields, messageFields, silentParts } from "./openai-fields.ts";
import {
  argumentsIn,
  contentText,
  listedItems,
  listIn,
  mapIn,
  markRepeated,
  numberIn,
  type TraceItem,
  textIn,
} from "./read-values.ts";
import { commonTools, type ToolMap } from "./tool-map.ts";
import type { TraceUsage } from "./trace.ts";
import type { OpenTurn, TraceBuilder } from "./trace-builder.ts";

/** Tools of the provider, which run on its machines: `web_search_call` is an item of the reply. */
const hostedTools: ToolMap = {
  web_search: "network_request",
  web_search_preview: "network_request",
  file_search: "nothing",
  image_generation: "nothing",
  mcp_list_tools: "nothing",
};

/** A conversation in an OpenAI format: chat messages, or items of Responses; alone, or in requests, replies and records of them. */
export const openai: Importer = {
  kind: "openai",
  tools: { ...commonTools, ...hostedTools },
  recognizes: (value) => isOpenai(value, 0),
  read(items, builder) {
    const reader = new OpenaiReader(builder);
    for (const item of withoutHistory(items)) if (!builder.broken(item)) reader.readAny(item, 0);
  },
};

function isOpenai(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return depth < maxDepth && value.some((item) => isOpenai(item, depth + 1));
  if (!isMap(value)) return false;
  const { role, type, message, content } = value;
  if (typeof role === "string")
    return (
      roles.has(role) &&
      !isMap(message) &&
      (type !== "message" || Array.isArray(content) || !("timestamp" in value))
    );
  if (typeof type === "string")
    return (
      ("call_id" in value || "id" in value || type === "reasoning") &&
      /^(?:reasoning|\w+_call|\w+_output)$/.test(type)
    );
  return depth < maxDepth && heldIn(value).some((held) => isOpenai(held, depth + 1));
}

const roles: ReadonlySet<string> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

class OpenaiReader {
  readonly #builder: TraceBuilder;
  /** The turn that further items of one response belong to; null after anything else than the model spoke. */
  #open: OpenTurn | null = null;
  #last: OpenTurn | null = null;

  constructor(builder: TraceBuilder) {
    this.#builder = builder;
  }

  /** A message, an item, a list of them, or what holds them. */
  readAny(item: TraceItem, depth: number): void {
    const { value } = item;
    this.#builder.at(item);
    if (Array.isArray(value)) {
      for (const one of markRepeated(listedItems(value, item), () => false))
        if (!this.#builder.broken(one)) {
          if (depth < maxDepth) this.readAny(one, depth + 1);
          else this.#builder.unknown("item", one.text);
        }
    } else if (!isMap(value)) this.#builder.unknown("item", item.text);
    else if (typeof value.role !== "string" && heldIn(value).length > 0) this.#readHolder(value, item, depth);
    else this.#readItem(value, item);
  }

  #readHolder(value: Record<string, unknown>, item: TraceItem, depth: number): void {
    this.#builder.onlyKnown(value, holderFields);
    const model = textIn(value.model);
    // Many providers speak like OpenAI.
    if (model !== null) this.#builder.learn({ model: { provider: null, name: model } });
    if (Array.isArray(value.tools)) this.#builder.learn({ tools: value.tools.map(mapIn).flatMap(toolName) });
    // A conversation is a run of its own, and so is a request with its reply.
    if (records.some((name) => name in value)) {
      this.#open = null;
      this.#builder.next();
    }
    if (typeof value.input === "string") this.#builder.prompt(value.input);
    for (const name of holders) {
      const held = value[name];
      if (name === "choices")
        for (const [at, choice] of listIn(held).entries()) {
          // The conversation goes on with the first.
          if (at > 0) this.#builder.ignore("further choice");
          else this.readAny({ ...item, value: mapIn(choice).message }, depth + 1);
        }
      else if (typeof held === "object" && held !== null)
        this.readAny({ ...item, value: held }, depth + (depth < maxDepth ? 1 : 0));
    }
    const usage = readUsage(value.usage);
    if (usage !== null && this.#last !== null) this.#last.usage = usage;
  }

  #readItem(item: Record<string, unknown>, { text }: TraceItem): void {
    const { role, type } = item;
    if (role === "tool" || role === "function") {
      this.#builder.onlyKnown(item, messageFields);
      this.#checkParts(item.content);
      this.#readResult(role === "tool" ? item.tool_call_id : item.name, item.content);
    } else if (typeof type === "string" && type.endsWith("_output")) {
      this.#builder.onlyKnown(item, itemFields);
      this.#readResult(item.call_id ?? item.id, item.output);
    } else if (type === "reasoning") this.#open ??= this.#begin();
    else if (typeof type === "string" && (type.endsWith("_call") || type === "mcp_list_tools"))
      this.#readResponsesCall(item, type.replace(/_call$/, ""));
    else if (role === "assistant") this.#readReply(item);
    else if (role === "user") {
      this.#open = null;
      this.#builder.onlyKnown(item, messageFields);
      this.#checkParts(item.content);
      this.#builder.prompt(contentText(item.content));
    } else if (role === "system" || role === "developer") {
      this.#open = null;
      this.#builder.onlyKnown(item, messageFields);
      this.#builder.ignore(role);
    } else this.#builder.unknown("item", text);
  }

  #readReply(message: Record<string, unknown>): void {
    this.#builder.onlyKnown(message, messageFields);
    this.#checkParts(message.content);
    // Items of one response follow each other; a chat message is a response of its own.
    const isItem = message.type === "message";
    const turn = isItem && this.#open !== null ? this.#open : this.#begin();
    const text = contentText(message.content) || contentText(message.refusal);
    if (text !== "") turn.texts.push({ text, pieces: [] });
    const calls = listIn(message.tool_calls).map(mapIn);
    for (const call of calls) {
      this.#builder.onlyKnown(call, callFields);
      const named = mapIn(call.function ?? call.custom);
      this.#addCall(turn, call.id, named.name, named.arguments ?? named.input);
    }
    // Before there were tools with ids, there was one function.
    if (isMap(message.function_call)) {
      const { name, arguments: given } = message.function_call;
      this.#addCall(turn, name, name, given);
    } else if (text === "" && calls.length === 0) this.#builder.unknown("reply", message);
    this.#open = isItem ? turn : null;
  }

  #readResponsesCall(item: Record<string, unknown>, type: string): void {
    this.#builder.onlyKnown(item, itemFields);
    this.#open ??= this.#begin();
    const isHosted = !clientTools.has(type);
    // Tools of the provider have no name of their own: `web_search_call`, `local_shell_call`.
    const name = item.name ?? (type === "function" || type === "custom_tool" ? null : type);
    const given = item.arguments ?? item.input ?? item.action ?? item.operation ?? {};
    const call = this.#addCall(this.#open, item.call_id ?? item.id, name, given);
    if (!isHosted) return;
    // It ran before the reply goes on, and its end is in the item itself.
    call.result = {
      text: contentText(item.output ?? item.results ?? ""),
      isError: item.status === "failed" ? true : null,
    };
    this.#open = null;
    this.#builder.boundary();
  }

  #begin(): OpenTurn {
    this.#last = this.#builder.reply(null);
    return this.#last;
  }

  #addCall(turn: OpenTurn, id: unknown, name: unknown, given: unknown) {
    return this.#builder.call(turn, { id: textIn(id), tool: textIn(name), given: argumentsIn(given) });
  }

  #readResult(callId: unknown, output: unknown): void {
    this.#open = null;
    // Whether it succeeded is not recorded.
    this.#builder.result(textIn(callId), { text: contentText(output), isError: null });
  }

  /** Parts of a content that are no text, image or the like: those of other providers hold calls. */
  #checkParts(content: unknown): void {
    if (content === undefined || content === null || typeof content === "string") return;
    if (!Array.isArray(content)) this.#builder.unknown("item", content);
    for (const part of listIn(content)) {
      const type = typeof part === "string" ? "text" : textIn(mapIn(part).type);
      if (type === null || !silentParts.has(type)) this.#builder.unknown("item", part);
    }
  }
}

/** Calls that whoever wrote the trace ran, so that their results are items of their own. */
const clientTools: ReadonlySet<string> = new Set([
  "function",
  "custom_tool",
  "local_shell",
  "shell",
  "apply_patch",
  "computer",
  "tool_search",
]);

/** Members that hold messages, in conversation order; and those that hold a whole conversation. */
const holders = [
  "request",
  "messages",
  "traj",
  "trajectory",
  "conversation",
  "input",
  "choices",
  "output",
  "response",
] as const;
const records = ["request", "messages", "traj", "trajectory", "conversation", "input"] as const;
const maxDepth = 6;

function heldIn(value: Record<string, unknown>): unknown[] {
  return holders.flatMap((name) => {
    const held = value[name];
    if (name === "choices")
      return listIn(held)
        .slice(0, 1)
        .map((choice) => mapIn(choice).message);
    return typeof held === "object" && held !== null ? [held] : [];
  });
}

/** A log of requests repeats in each what was said before: those that the next one holds in full are left out. */
function withoutHistory(items: readonly TraceItem[]): readonly TraceItem[] {
  const histories = items.map(({ value }) => historyIn(value));
  return items.filter((_, at) => {
    const own = histories[at];
    const next = histories[at + 1];
    return (
      own == null || next == null || own.length >= next.length || own.some((text, n) => text !== next[n])
    );
  });
}

/** The messages of a request and its reply, as text; null for anything else. */
function historyIn(value: unknown): string[] | null {
  const { request, response, messages, choices } = mapIn(value);
  const asked = messages ?? mapIn(request).messages;
  const replies = listIn(choices ?? mapIn(response).choices)
    .slice(0, 1)
    .map((choice) => mapIn(choice).message);
  return Array.isArray(asked) && replies.length > 0
    ? [...asked, ...replies].map((one) => JSON.stringify(one))
    : null;
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
