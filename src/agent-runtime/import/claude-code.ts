import { basename } from "node:path";
import { shorten } from "../../shared/text/visible-text.ts";
import {
  argumentsIn,
  contentText,
  type LocatedValue,
  listIn,
  mapIn,
  namesIn,
  numberIn,
  textIn,
} from "./read-values.ts";
import type { SkillFolder, Trace, TraceCall, TraceTurn, TraceUsage } from "./trace.ts";

interface Turn extends TraceTurn {
  texts: { text: string; pieces: string[] }[];
  calls: TraceCall[];
  usage: TraceUsage | null;
}

/** Reads the messages of Claude Code: `stream-json`, or the transcript of a session. */
export function readClaudeCode(values: readonly LocatedValue[]): Trace {
  const reader = new ClaudeReader();
  for (const { value, location } of values) {
    // `--output-format json --verbose` prints them as one list.
    if (Array.isArray(value))
      for (const [at, item] of value.entries()) reader.read(mapIn(item), `item ${at + 1}`);
    else reader.read(mapIn(value), location);
  }
  return reader.trace();
}

class ClaudeReader {
  readonly #turns = new Map<string, Turn>();
  readonly #calls = new Map<string, TraceCall>();
  readonly #pieces = new Map<string, string[][]>();
  /** The message that is streamed, by the agent that streams it. */
  readonly #streamed = new Map<string, string>();
  readonly #folders: SkillFolder[] = [];
  readonly #warnings: string[] = [];
  #init: Record<string, unknown> = {};
  #result: Record<string, unknown> | null = null;
  #request: string | null = null;
  #model: string | null = null;

  read(message: Record<string, unknown>, location: string): void {
    if (message.type === "system" && message.subtype === "init") this.#init = message;
    else if (message.type === "assistant") this.#readReply(message, location);
    else if (message.type === "user") this.#readUser(message, location);
    else if (message.type === "stream_event") this.#readPiece(message);
    else if (message.type === "result") this.#result = message;
  }

  #readReply(line: Record<string, unknown>, location: string): void {
    const message = mapIn(line.message);
    // Written by the program instead of the model: an API error, an interruption.
    if (message.model === "<synthetic>") {
      this.#warnings.push(
        `${location}: the model did not answer: ${shorten(contentText(message.content), 200)}`,
      );
      return;
    }
    this.#model ??= textIn(message.model);
    const id = textIn(message.id) ?? `at ${location}`;
    const turn = this.#findTurn(id, line);
    turn.usage = readUsage(message.usage) ?? turn.usage;
    for (const block of listIn(message.content).map(mapIn)) {
      if (block.type === "text" && typeof block.text === "string")
        turn.texts.push({ text: block.text, pieces: [] });
      if (block.type === "tool_use") this.#readCall(block, turn, location);
    }
    if (typeof message.content === "string") turn.texts.push({ text: message.content, pieces: [] });
  }

  #findTurn(id: string, line: Record<string, unknown>): Turn {
    const known = this.#turns.get(id);
    if (known !== undefined) return known;
    const turn: Turn = {
      parentCall: readParent(line),
      atMs: readTime(line),
      durationMs: null,
      usage: null,
      texts: [],
      calls: [],
    };
    this.#turns.set(id, turn);
    return turn;
  }

  #readCall(block: Record<string, unknown>, turn: Turn, location: string): void {
    const id = textIn(block.id);
    if (id !== null && this.#calls.has(id)) {
      this.#warnings.push(`${location}: the call ${shorten(id, 80)} is a duplicate and was skipped`);
      return;
    }
    const call: TraceCall = {
      id,
      tool: textIn(block.name) ?? "unnamed",
      arguments: argumentsIn(block.input),
      result: null,
      denied: null,
    };
    turn.calls.push(call);
    if (id !== null) this.#calls.set(id, call);
  }

  #readUser(line: Record<string, unknown>, location: string): void {
    const { content } = mapIn(line.message);
    const texts = typeof content === "string" ? [content] : [];
    for (const block of listIn(content).map(mapIn)) {
      if (block.type === "tool_result") this.#readResult(block, location);
      else if (typeof block.text === "string") texts.push(block.text);
    }
    for (const text of texts) {
      const dir = readFolder(text);
      if (dir !== null) this.#folders.push({ name: basename(dir.replaceAll("\\", "/")), dir });
      else if (this.#request === null && line.isMeta !== true && readParent(line) === null)
        this.#request = text;
    }
  }

  #readResult(block: Record<string, unknown>, location: string): void {
    const id = textIn(block.tool_use_id) ?? "";
    const call = this.#calls.get(id);
    if (call === undefined) {
      this.#warnings.push(
        `${location}: the result of ${shorten(id, 80) || "a call without id"} has no matching call`,
      );
      return;
    }
    const text = contentText(block.content);
    const isError = block.is_error === true;
    call.result = { text, isError };
    if (isError && refusals.some((words) => text.includes(words))) call.denied = shorten(text, 300);
  }

  #readPiece(line: Record<string, unknown>): void {
    const event = mapIn(line.event);
    const agent = readParent(line) ?? "";
    if (event.type === "message_start") this.#streamed.set(agent, textIn(mapIn(event.message).id) ?? "");
    const { type, text } = mapIn(event.delta);
    if (event.type !== "content_block_delta" || type !== "text_delta" || typeof text !== "string") return;
    const id = this.#streamed.get(agent) ?? "";
    const blocks = this.#pieces.get(id) ?? [];
    this.#pieces.set(id, blocks);
    const index = Math.max(0, Math.min(numberIn(event.index) ?? 0, maxBlocks));
    blocks[index] ??= [];
    blocks[index].push(text);
  }

  trace(): Trace {
    for (const [id, turn] of this.#turns) {
      // Blocks of thought and calls have numbers too: those of text come in the same order.
      const pieces = (this.#pieces.get(id) ?? []).filter((each) => each !== undefined);
      for (const [at, block] of turn.texts.entries()) block.pieces = pieces[at] ?? [];
    }
    const denials = this.#result === null ? null : this.#result.permission_denials;
    for (const { tool_use_id } of listIn(denials).map(mapIn)) {
      const call = this.#calls.get(textIn(tool_use_id) ?? "");
      if (call !== undefined) call.denied ??= shorten(call.result?.text ?? "", 300) || "permission denied";
    }
    const hasDenied = [...this.#calls.values()].some(({ denied }) => denied !== null);
    return {
      model: { provider: "anthropic", name: textIn(this.#init.model) ?? this.#model },
      request: this.#request,
      cwd: textIn(this.#init.cwd),
      tools: namesIn(this.#init.tools),
      skills: namesIn(this.#init.skills),
      skillFolders: this.#folders,
      turns: [...this.#turns.values()],
      answer: this.#result === null ? null : textIn(this.#result.result),
      stop: this.#result === null ? null : readStop(this.#result),
      usage: this.#result === null ? null : readTotal(this.#result),
      recordsDenials: Array.isArray(denials) || hasDenied,
      recordsCalls: true,
      warnings: this.#warnings,
    };
  }
}

/** What a call is answered with that somebody did not allow. */
const refusals = [
  "requested permissions to",
  "doesn't want to proceed with this tool use",
  "doesn't want to take this action",
  "has been denied",
] as const;

const maxBlocks = 1000;

/** Before the instructions of a skill that it loads, the program says where they are from. */
function readFolder(text: string): string | null {
  const start = "Base directory for this skill: ";
  if (!text.startsWith(start)) return null;
  return textIn(
    text
      .slice(start.length, start.length + 4096)
      .split("\n", 1)[0]
      ?.trim(),
  );
}

function readParent(line: Record<string, unknown>): string | null {
  return textIn(line.parent_tool_use_id) ?? (line.isSidechain === true ? "?" : null);
}

function readTime({ timestamp }: Record<string, unknown>): number | null {
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function readUsage(value: unknown): TraceUsage | null {
  const usage = mapIn(value);
  const output = numberIn(usage.output_tokens);
  const fresh = numberIn(usage.input_tokens);
  if (fresh === null && output === null) return null;
  const cached =
    (numberIn(usage.cache_read_input_tokens) ?? 0) + (numberIn(usage.cache_creation_input_tokens) ?? 0);
  return { input_tokens: fresh === null ? null : fresh + cached, output_tokens: output, cost_usd: null };
}

function readTotal(result: Record<string, unknown>): TraceUsage | null {
  const usage = readUsage(result.usage);
  const cost = numberIn(result.total_cost_usd);
  if (usage === null && cost === null) return null;
  return { input_tokens: null, output_tokens: null, ...usage, cost_usd: cost };
}

function readStop({ subtype, is_error }: Record<string, unknown>): Trace["stop"] {
  if (subtype === "error_max_turns")
    return { status: "stopped", reason: "budget_exhausted", budget: "max_turns" };
  if (subtype === "error_max_budget_usd")
    return { status: "stopped", reason: "budget_exhausted", budget: "max_cost_usd" };
  if (is_error === true || subtype !== "success") return { status: "failed", reason: "internal_error" };
  return { status: "completed", reason: "final_answer" };
}
