import { toolResolver } from "../../agent/conversation/resolve-tool.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import type { Containment } from "../../contract/containment.ts";
import type { Json } from "../../contract/json.ts";
import { longestTimerMs } from "../../contract/timer.ts";
import type {
  HostedTool,
  InjectedArgument,
  OpenDocument,
  ToolHostMode,
  ToolHosts,
} from "../../contract/tool-host.ts";
import { envelopeOf, type ToolEnvelope } from "../../contract/tool-result.ts";
import { skillWithTools } from "../../skills/targets/tool-targets.ts";
import type { ContainmentOptions } from "../request.ts";
import { readyTools } from "./ready-tools.ts";
import { beginWalls, hostsIn, openToolWalls, type ToolSurroundings, withoutLent } from "./tool-walls.ts";

/** A call that somebody makes in the place of a model. */
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
  /** What a model would be told; null where we could not find out. */
  envelope: ToolEnvelope | null;
  /** Why we could not. */
  problem: string | null;
  findings: readonly string[];
  injected: readonly InjectedArgument[];
  /** What the tool printed, its traceback among it. */
  printed: string;
  latencyMs: number;
  /** Null where nothing was started. */
  containment: Containment | null;
  exitCode: 0 | 1 | 3;
}

export interface CallSurroundings extends ToolSurroundings {
  warn(message: string): void;
  /** Told before the tool is called. */
  onContainment(containment: Containment): void;
}

/** Calls one tool of one skill as a conversation would, and keeps nothing. */
export async function callTool(call: ToolCall, around: CallSurroundings): Promise<ToolCallEnd> {
  const { containment, cwd } = call;
  const { target, warnings } = await skillWithTools(call.skill, cwd);
  for (const warning of warnings) around.warn(warning);
  const tools = await readyTools(target, { exclude: around.exclude, timeoutMs: call.timeoutMs });
  const { id, dir } = target.skill;
  const resolved = toolResolver([{ id, tools }], builtInTools)(call.tool);
  if (!resolved.ok) return { ...notCalled, skill: id, envelope: resolved.envelope };
  await using proof = beginWalls(containment, around);
  await using sandbox = await openToolWalls(containment, around, proof, [dir]);
  await using hosts = hostsIn(sandbox, call.mode, containment, around);
  await hosts.prepare([resolved.tool]);
  around.onContainment(sandbox.containment);
  const end = await endOfCall(resolved.tool, call, hosts, around.signal);
  return { ...withoutLent(containment, around.env)(end), skill: id, containment: sandbox.containment };
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

/** Makes the call, and says what a model would be told of it. */
export async function endOfCall(
  tool: HostedTool,
  { arguments: given, document }: Pick<ToolCall, "arguments" | "document">,
  hosts: ToolHosts,
  signal: AbortSignal,
): Promise<Omit<ToolCallEnd, "skill" | "containment">> {
  const limits = { deadlineMs: longestTimerMs, signal };
  const outcome = await hosts.call({ tool, arguments: given, document }, limits);
  const envelope = envelopeOf(outcome);
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
