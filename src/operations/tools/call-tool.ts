import { builtInTools } from "../../contract/built-in-tools.ts";
import type { Containment } from "../../contract/containment.ts";
import { longestTimerMs } from "../../contract/limits.ts";
import type {
  HostedTool,
  InjectedArgument,
  OpenDocument,
  ToolHostMode,
  ToolHosts,
} from "../../contract/tool-host.ts";
import { type ToolEnvelope, toEnvelope } from "../../contract/tool-result.ts";
import type { ContainmentOptions } from "../../engine/request.ts";
import { toolResolver } from "../../levels/conversation/dialogue/conversation-tools.ts";
import type { Json } from "../../shared/json/json.ts";
import { skillWithTools } from "../../skills/targets/tool-targets.ts";
import {
  beginContainment,
  hostsIn,
  openToolSandbox,
  readyTools,
  redactPassthrough,
  type ToolContext,
} from "./ready-tools.ts";

/** A call that a user makes instead of a model. */
export interface ToolCall {
  /** A folder or a manifest. */
  skill: string;
  tool: string;
  arguments: Json;
  document: OpenDocument | null;
  mode: ToolHostMode;
  /** Null: what the skill says. */
  timeoutMs: number | null;
  containment: ContainmentOptions;
  cwd: string;
}

export interface ToolCallEnd {
  /** The id of the skill. */
  skill: string;
  /** What a model would read; null where the call could not be made. */
  envelope: ToolEnvelope | null;
  /** Why it could not be made. */
  problem: string | null;
  findings: readonly string[];
  injected: readonly InjectedArgument[];
  /** What the tool printed, including its traceback. */
  printed: string;
  latencyMs: number;
  /** Null where nothing was started. */
  containment: Containment | null;
  exitCode: 0 | 1 | 3;
}

export interface ToolCallContext extends ToolContext {
  warn(message: string): void;
  /** Called before the tool is. */
  onContainment(containment: Containment): void;
}

/** Calls one tool of one skill as a conversation would, and stores nothing. */
export async function callTool(call: ToolCall, context: ToolCallContext): Promise<ToolCallEnd> {
  const { containment, cwd } = call;
  const { target, warnings } = await skillWithTools(call.skill, cwd);
  for (const warning of warnings) context.warn(warning);
  const tools = await readyTools(target, { exclude: context.exclude, timeoutMs: call.timeoutMs });
  const { id, dir } = target.skill;
  const resolved = toolResolver([{ id, tools }], builtInTools)(call.tool);
  if (!resolved.ok) return { ...notCalled, skill: id, envelope: resolved.envelope };
  await using proof = beginContainment(containment, context);
  await using sandbox = await openToolSandbox(containment, context, proof, [dir]);
  await using hosts = hostsIn(sandbox, call.mode, containment, context);
  await hosts.prepare([resolved.tool]);
  context.onContainment(sandbox.containment);
  const end = await makeCall(resolved.tool, call, hosts, context.signal);
  return { ...redactPassthrough(containment, context.env)(end), skill: id, containment: sandbox.containment };
}

const notCalled = {
  problem: null,
  findings: [],
  injected: [],
  printed: "",
  latencyMs: 0,
  containment: null,
  exitCode: 1,
} as const;

/** Makes the call, and returns what a model would read. */
export async function makeCall(
  tool: HostedTool,
  { arguments: given, document }: Pick<ToolCall, "arguments" | "document">,
  hosts: ToolHosts,
  signal: AbortSignal,
): Promise<Omit<ToolCallEnd, "skill" | "containment">> {
  const limits = { deadlineMs: longestTimerMs, signal };
  const outcome = await hosts.call({ tool, arguments: given, document }, limits);
  const envelope = toEnvelope(outcome);
  const { warnings = [], injected = [], stderrTail = "", stray = [], latencyMs } = outcome;
  return {
    envelope,
    problem: envelope === null && "message" in outcome ? outcome.message : null,
    findings: warnings,
    injected,
    printed: [...stray, stderrTail].filter((text) => text !== "").join("\n"),
    latencyMs: Math.round(latencyMs),
    exitCode: envelope === null ? 3 : "error" in envelope ? 1 : 0,
  };
}
