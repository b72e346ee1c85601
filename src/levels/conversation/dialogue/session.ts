import type { Interruption } from "../../../agent-runtime/loop/stop.ts";
import type {
  ConversationRecord,
  ConversationTurnRecord,
  RecordedCall,
} from "../../../contract/conversation.ts";
import type { ConversationSkill, Speaker } from "../../../contract/conversation-parts.ts";
import type { ChatMessage } from "../../../contract/model.ts";
import type { OpenDocument, ToolHosts } from "../../../contract/tool-host.ts";
import type { Clock } from "../../../shared/async/clock.ts";
import type { ConversationListener } from "./conversation-listener.ts";
import { conversationPrompt } from "./conversation-prompt.ts";
import { type ResolvedTool, toolResolver } from "./conversation-tools.ts";

export interface ConverseOptions {
  request: string;
  /** The program the request is made in. */
  host: string | null;
  document: (OpenDocument & { name: string }) | null;
  /** In rank order. */
  skills: readonly ConversationSkill[];
  /** Whether they were named instead of routed. */
  forced: boolean;
  routing: ConversationRecord["routing"];
  /** Names that no skill may have for a tool. */
  builtIns: readonly string[];
  speaker: Speaker;
  hosts: ToolHosts;
  limits: { maxTurns: number; maxToolCalls: number; timeoutMs: number };
  clock: Clock;
  listen?: ConversationListener | undefined;
}

/** A conversation under way. */
export interface ConversationSession {
  readonly options: ConverseOptions;
  readonly interruption: Interruption;
  readonly messages: ChatMessage[];
  readonly turns: ConversationTurnRecord[];
  /** The calls so far, each as one text: the same text is the same call. */
  readonly made: Set<string>;
  resolve(name: string): ResolvedTool;
  /** Whether there is a tool of this name. */
  isKnown(name: string): boolean;
  calls(): RecordedCall[];
  passedMs(): number;
  leftMs(): number;
}

export function beginSession(options: ConverseOptions, interruption: Interruption): ConversationSession {
  const { request, skills, builtIns, clock, limits } = options;
  const began = clock.monotonic();
  const passedMs = () => clock.monotonic() - began;
  const names = new Set([...builtIns, ...skills.flatMap(({ tools }) => tools.map(({ name }) => name))]);
  const turns: ConversationTurnRecord[] = [];
  return {
    options,
    interruption,
    messages: [
      { role: "system", text: conversationPrompt(options) },
      { role: "user", text: request },
    ],
    turns,
    made: new Set(),
    resolve: toolResolver(skills, builtIns),
    isKnown: (name) => names.has(name),
    calls: () => turns.flatMap(({ call }) => (call === null ? [] : [call])),
    passedMs,
    leftMs: () => limits.timeoutMs - passedMs(),
  };
}
