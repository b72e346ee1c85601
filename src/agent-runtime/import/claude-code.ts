import { basename } from "node:path";
import { isMap } from "../../shared/json/json-values.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import {
  blockFields,
  messageFields,
  replyFields,
  resultFields,
  silentBlocks,
  silentLines,
  userFields,
} from "./claude-fields.ts";
import { ClaudePermissions } from "./claude-permissions.ts";
import { StreamedTexts } from "./claude-streams.ts";
import { claudeTools } from "./claude-tools.ts";
import { notSpoken, readFolder, readStop, readTime, readTotal, readUsage } from "./claude-values.ts";
import type { Companions, Importer } from "./importer.ts";
import { argumentsIn, contentText, listIn, mapIn, namesIn, type TraceItem, textIn } from "./read-values.ts";
import type { TraceCall } from "./trace.ts";
import type { OpenTurn, TraceBuilder } from "./trace-builder.ts";

/** The messages of Claude Code: `stream-json`, or the transcript of a session with those of its subagents. */
export const claudeCode: Importer = {
  kind: "claude-code",
  tools: claudeTools,
  recognizes: isClaudeLine,
  // Pieces of a stream may be equal, and what is silent may be said twice.
  mayRepeat: (value) => {
    const { type } = mapIn(value);
    return type === "stream_event" || type === "system" || silentLines.has(textIn(type) ?? "");
  },
  read: (items, builder, companions) => new ClaudeReader(builder, companions).read(items),
};

type Line = Record<string, unknown>;

function isClaudeLine(value: unknown): boolean {
  const { type, message, subtype, event } = mapIn(value);
  if (type === "assistant" || type === "user") return isMap(message);
  if (type === "system") return typeof subtype === "string";
  if (type === "result") return typeof subtype === "string" && "is_error" in mapIn(value);
  if (type === "stream_event") return isMap(event);
  return typeof type === "string" && silentLines.has(type);
}

class ClaudeReader {
  readonly #builder: TraceBuilder;
  readonly #companions: Companions;
  readonly #pieces = new StreamedTexts();
  readonly #permissions: ClaudePermissions;
  readonly #uuids = new Set<string>();
  /** Calls that started an agent, and the agents whose turns were seen. */
  readonly #started = new Set<TraceCall>();
  readonly #followed = new Set<string>();
  readonly #files = new Set<string>();
  /** What `claude -p` prints, which says how it ended; a session does not. */
  #isStream = false;
  #session: string | null = null;
  /** By the id of a line of an agent within, the call that started that agent. */
  readonly #startedBy = new Map<string, string>();
  readonly #stopReasons = new Map<OpenTurn, string | null>();
  /** The call that started the agent whose file is read. */
  #within: string | null = null;

  constructor(builder: TraceBuilder, companions: Companions) {
    this.#builder = builder;
    this.#companions = companions;
    this.#permissions = new ClaudePermissions(builder);
  }

  read(items: readonly TraceItem[]): void {
    // The file of a subagent alone is a run of its own.
    const isOfSubagent = items.every(({ value }) => !isMap(value) || value.isSidechain !== false);
    const isSession = items.some(({ value }) => typeof mapIn(value).sessionId === "string");
    this.#isStream = !isSession && items.some(({ value }) => typeof mapIn(value).session_id === "string");
    if (this.#isStream) this.#builder.requireEnd();
    this.#readAll(items, isSession && isOfSubagent);
    for (const call of this.#started)
      if (
        call.result !== null &&
        call.result.isError !== true &&
        call.denied === null &&
        !this.#followed.has(call.id ?? "")
      ) {
        this.#builder.at(call.place);
        this.#builder.unknown("no agent", call.id);
      }
    for (const [turn, reason] of this.#stopReasons)
      if (reason === "tool_use" && turn.calls.length === 0) this.#builder.unknown("gap", "no call");
    this.#permissions.end();
    this.#pieces.end();
    this.#builder.learn({
      model: { provider: "anthropic", name: null },
      recordsDenials: this.#permissions.areRecorded,
    });
  }

  #readAll(items: readonly TraceItem[], isOwnRun: boolean): void {
    for (const item of items) {
      if (this.#builder.broken(item)) continue;
      if (!isMap(item.value)) this.#builder.unknown("item", item.text);
      else this.#readLine(item.value, item, isOwnRun);
    }
  }

  #readLine(line: Line, item: TraceItem, isOwnRun: boolean): void {
    const before = textIn(line.parentUuid);
    // Every line of a session names the one before it.
    if (before !== null && !this.#uuids.has(before)) this.#builder.unknown("gap", before);
    const uuid = textIn(line.uuid);
    if (uuid !== null) this.#uuids.add(uuid);
    if (this.#within === null) this.#session ??= textIn(line.sessionId);
    const cwd = textIn(line.cwd);
    if (cwd !== null) this.#builder.learn({ cwd });
    const parent = isOwnRun ? null : (this.#within ?? this.#parentOf(line, uuid));
    if (parent !== null) this.#followed.add(parent);
    const type = textIn(line.type) ?? "";
    if (type === "assistant") this.#readReply(line, parent, item);
    else if (type === "user") this.#readUser(line, parent);
    else if (type === "result") this.#readResult(line);
    else if (type === "system") this.#readSystem(line);
    else if (type === "stream_event") this.#pieces.read(line, parent);
    else if (type === "control_request") this.#permissions.readQuestion(line);
    else if (type === "control_response") this.#permissions.readDecision(line);
    else if (silentLines.has(type)) this.#builder.ignore(type);
    else this.#builder.unknown("item", item.text);
  }

  /** The call that started the agent whose line this is. A session names it only by what the agent was asked. */
  #parentOf(line: Line, uuid: string | null): string | null {
    const named = textIn(line.parent_tool_use_id);
    if (named !== null || line.isSidechain !== true) return named;
    const asked = textIn(mapIn(line.message).content);
    const before = textIn(line.parentUuid);
    const call = [...this.#started].find(
      ({ arguments: given }) => before === null && given?.prompt === asked,
    );
    const parent = call?.id ?? this.#startedBy.get(before ?? "") ?? "?";
    if (uuid !== null) this.#startedBy.set(uuid, parent);
    return parent;
  }

  #readReply(line: Line, parentCall: string | null, item: TraceItem): void {
    const message = mapIn(line.message);
    // Written by the program instead of the model: an API error, an interruption.
    if (message.model === "<synthetic>") {
      this.#builder.ignore("synthetic reply");
      this.#builder.boundary();
      return;
    }
    this.#builder.onlyKnown(line, replyFields);
    this.#builder.onlyKnown(message, messageFields);
    const id = textIn(message.id) ?? `at ${item.location}`;
    const name = textIn(message.model);
    if (name !== null && parentCall === null) this.#builder.learn({ model: { provider: "anthropic", name } });
    const turn = this.#builder.reply(`${parentCall ?? ""} ${id}`, { parentCall, atMs: readTime(line) });
    this.#pieces.belongTo(id, turn);
    turn.usage = readUsage(message.usage) ?? turn.usage;
    this.#stopReasons.set(turn, textIn(message.stop_reason));
    if (typeof message.content === "string") turn.texts.push({ text: message.content, pieces: [] });
    else if (!Array.isArray(message.content)) this.#builder.unknown("reply", message);
    for (const block of listIn(message.content)) this.#readBlock(mapIn(block), turn);
  }

  #readBlock(block: Line, turn: OpenTurn): void {
    const type = textIn(block.type) ?? "";
    if (type === "text" && typeof block.text === "string") turn.texts.push({ text: block.text, pieces: [] });
    else if (type === "tool_use") {
      const tool = textIn(block.name);
      const call = this.#builder.call(turn, { id: textIn(block.id), tool, given: argumentsIn(block.input) });
      if (tool !== null && claudeTools[tool.toLowerCase()] === "agent") this.#started.add(call);
    } else if (silentBlocks.has(type)) this.#builder.ignore(type);
    else this.#builder.unknown("item", block);
    const known = Object.hasOwn(blockFields, type) ? blockFields[type] : undefined;
    if (known !== undefined) this.#builder.onlyKnown(block, known);
  }

  #readUser(line: Line, parent: string | null): void {
    this.#builder.onlyKnown(line, userFields);
    const message = mapIn(line.message);
    this.#builder.onlyKnown(message, messageFields);
    const { content } = message;
    const texts = typeof content === "string" ? [content] : [];
    let hasResult = false;
    for (const block of listIn(content).map(mapIn)) {
      if (block.type === "tool_result") {
        hasResult = true;
        this.#builder.onlyKnown(block, blockFields.tool_result ?? new Set());
        this.#readToolResult(block, line, parent);
      } else if (block.type === "text" && typeof block.text === "string") texts.push(block.text);
      else if (silentBlocks.has(textIn(block.type) ?? ""))
        this.#builder.ignore(textIn(block.type) ?? "block");
      else this.#builder.unknown("item", block);
    }
    if (typeof content !== "string" && !Array.isArray(content)) this.#builder.unknown("item", line);
    const isOurs = parent === null && !hasResult && !(this.#isStream && this.#builder.isMidRun);
    const isSpoken =
      isOurs && [line.isMeta, line.isCompactSummary, line.isSynthetic].every((flag) => flag !== true);
    for (const text of texts) this.#readText(text, isSpoken);
  }

  #readText(text: string, isSpoken: boolean): void {
    const dir = readFolder(text);
    if (dir !== null) this.#builder.folder({ name: basename(dir.replaceAll("\\", "/")), dir });
    else if (text.startsWith("[Request interrupted by user")) {
      // What ran by then is not known to have ended.
      const stop = { status: "failed", reason: "cancelled" } as const;
      this.#builder.end({ answer: null, stop, usage: null });
    } else if (isSpoken && !notSpoken.test(text)) {
      this.#builder.prompt(text);
      return;
    }
    this.#builder.boundary();
  }

  #readToolResult(block: Line, line: Line, parent: string | null): void {
    const text = contentText(block.content);
    const isError = block.is_error === true;
    const call = this.#builder.result(
      textIn(block.tool_use_id),
      { text, isError },
      { isNested: parent !== null },
    );
    if (call === null) return;
    const result = line.toolUseResult ?? line.tool_use_result;
    this.#permissions.readResult(call, { ...line, result });
    const agent = textIn(mapIn(result).agentId);
    if (agent !== null && this.#started.has(call)) this.#follow(call, agent);
  }

  /** Reads the turns of an agent that a call started, where they are in a file of their own. */
  #follow(call: TraceCall, agent: string): void {
    if (!/^[\w-]{1,64}$/.test(agent) || this.#followed.has(call.id ?? "") || this.#files.has(agent)) return;
    this.#files.add(agent);
    const around = this.#within;
    const session = this.#session ?? "";
    const items = [
      `${session}/subagents/agent-${agent}.jsonl`,
      `subagents/agent-${agent}.jsonl`,
      `agent-${agent}.jsonl`,
    ]
      .filter((path) => !path.startsWith("/"))
      .map(this.#companions)
      .find((found) => found !== null);
    if (items === undefined || items === null) return;
    this.#within = call.id;
    this.#readAll(
      items.map((item) => ({ ...item, location: `agent ${agent}, ${item.location}` })),
      false,
    );
    this.#within = around;
  }

  #readSystem(line: Line): void {
    if (line.subtype === "init") {
      this.#builder.restart();
      const model = textIn(line.model);
      this.#builder.learn({
        ...(model === null ? {} : { model: { provider: "anthropic", name: model } }),
        cwd: textIn(line.cwd),
        tools: namesIn(line.tools),
        skills: namesIn(line.skills),
      });
    } else if (line.subtype === "compact_boundary") {
      this.#builder.unknown("compacted", line);
      this.#builder.boundary();
    } else this.#builder.ignore(`system ${shorten(textIn(line.subtype) ?? "", 40)}`);
  }

  #readResult(line: Line): void {
    this.#builder.onlyKnown(line, resultFields);
    this.#permissions.readDenials(line.permission_denials);
    const answer = textIn(line.result);
    this.#builder.end({ answer, stop: readStop(line), usage: readTotal(line) });
  }
}
