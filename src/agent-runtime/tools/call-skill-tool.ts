import type { AgentError } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import {
  type HostedTool,
  type ToolHosts,
  type ToolOutcome,
  toolDeadlineMs,
} from "../../contract/tool-host.ts";
import { toEnvelope, toolResultLine } from "../../contract/tool-result.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { maxExcerptLength } from "../loader/truncate.ts";
import type { ToolsOptions } from "./open-tools.ts";
import { plainObservation, refusedWork, skillChanged, type ToolWork, takeBeginning } from "./tool-work.ts";

export interface SkillToolContext {
  catalog: Pick<AgentCatalog, "isUnchanged">;
  log: Pick<RunLog, "keep">;
}

/** Calls tools that skills declare, for a run of an agent. `findTool` returns null where the skill has no such tool. */
export function callSkillTool(
  hosts: ToolHosts,
  findTool: (skill: AgentSkill, name: string) => HostedTool | null | Promise<HostedTool | null>,
  { catalog, log }: SkillToolContext,
): NonNullable<ToolsOptions["callSkillTool"]> {
  return async ({ callId, args: { skill, tool: name, params }, selected, remainingMs, signal }) => {
    const owners = selected.filter(({ tools }) => tools.some((tool) => tool.name === name));
    if (owners.length > 1) return refusedWork(ambiguous(name, owners));
    if (!(await catalog.isUnchanged(skill))) return refusedWork(skillChanged(skill));
    const tool = await findTool(skill, name);
    if (tool === null) return refusedWork(unknown(skill, name));
    const deadlineMs = Math.max(1, Math.min(tool.timeoutMs ?? toolDeadlineMs, remainingMs));
    const outcome = await hosts.call({ tool, arguments: params, document: null }, { deadlineMs, signal });
    return toToolWork(outcome, (text) => log.keep(`${callId}-${name}.txt`, text));
  };
}

/** The model sees the same line as in a conversation; one too long for a prompt is stored whole. */
function toToolWork(outcome: ToolOutcome, keep: (text: string) => { ref: string; sha256: string }): ToolWork {
  const envelope = toEnvelope(outcome);
  if (envelope === null) return refusedWork(hostFailure(outcome as Failure));
  const line = toolResultLine(envelope);
  const { text, isCut } = takeBeginning(line, maxExcerptLength);
  const stored = isCut ? keep(line) : null;
  const facts: ToolWork = {
    started: true,
    result: outcomeFacts(outcome),
    observation:
      stored === null
        ? plainObservation(text)
        : { summary: text, storage_ref: stored.ref, sha256: stored.sha256 },
  };
  if (outcome.status === "answered") return facts;
  const { message, code, isEntered } = describeFailure(outcome as Failure);
  const error: AgentError = { code: "ToolFailed", message, details: { code } };
  const ended = outcome.status === "timed-out" ? { ended: { timeout: true } } : {};
  return { ...facts, ...ended, started: isEntered, error };
}

type Failure = Exclude<ToolOutcome, { status: "answered" }>;

function describeFailure(outcome: Failure): { message: string; code: string; isEntered: boolean } {
  const code = outcome.status === "timed-out" ? "timeout" : outcome.cause;
  return { message: `${code}: ${outcome.message}`, code, isEntered: code !== "bad-arguments" };
}

function outcomeFacts({ latencyMs, warnings, ...outcome }: ToolOutcome): JsonObject {
  return {
    ms: Math.round(latencyMs),
    ...(outcome.status === "answered" && {
      result_bytes: Buffer.byteLength(JSON.stringify(outcome.output)),
    }),
    ...(warnings !== undefined && warnings.length > 0 && { findings: [...warnings] }),
  };
}

/** Not the tool's fault: the sandbox refused to start it or hid what it needs, or nothing could be started. */
function hostFailure(outcome: Failure): AgentError {
  const { message } = outcome;
  if (outcome.status === "invalid" && outcome.cause === "sandbox-refused")
    return { code: "SandboxUnavailable", message };
  if (outcome.status === "invalid" && outcome.cause === "sandbox-hid") return { code: "SandboxHid", message };
  return { code: "IOError", message, reason: "not_started" };
}

function ambiguous(name: string, owners: readonly AgentSkill[]): AgentError {
  const all = owners.map((skill) => `${shownText(skill.name)} (${skill.source})`).join(", ");
  return { code: "AmbiguousTool", message: `${name} is declared by ${all}` };
}

function unknown(skill: AgentSkill, name: string): AgentError {
  const message = `${shownText(skill.name)} has no tool ${shownText(name)}`;
  return { code: "ToolNotAllowed", message, reason: "no_such_tool" };
}
