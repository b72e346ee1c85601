import type { AgentEvent } from "../../../contract/agent-event.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";

/** Everything a log records of one call. */
export interface Call {
  id: string;
  /** The first line about it. */
  since: number;
  planned: AgentEvent<"action_planned"> | null;
  validated: AgentEvent<"action_validated"> | null;
  required: AgentEvent<"approval_required">[];
  granted: AgentEvent<"approval_granted">[];
  denied: AgentEvent<"approval_denied">[];
  loads: AgentEvent<"skill_loaded" | "resource_loaded">[];
  executed: AgentEvent<"action_executed">[];
}

/**
 * Gathers the events of every call, by its id and in the order in which the calls appear. An id that is planned again, or that
 * does something else as well, counts as another call: an approval of the first does not cover the second.
 */
export function callsIn(events: readonly AgentEvent[]): Map<string, Call[]> {
  const calls = new Map<string, Call[]>();
  const callFor = ({ seq }: AgentEvent, id: string, isOther: (call: Call) => boolean = () => false): Call => {
    const known = calls.get(id) ?? [];
    const last = known.at(-1);
    if (last !== undefined && !isOther(last)) return last;
    const call = {
      ...{ id, since: seq, planned: null, validated: null },
      ...{ required: [], granted: [], denied: [], loads: [], executed: [] },
    };
    calls.set(id, [...known, call]);
    return call;
  };
  for (const event of events) put(event, callFor);
  return calls;
}

function put(
  event: AgentEvent,
  callFor: (event: AgentEvent, id: string, isOther?: (call: Call) => boolean) => Call,
): void {
  switch (event.type) {
    case "action_planned":
      callFor(event, event.data.call_id, ({ planned }) => planned !== null).planned ??= event;
      break;
    case "action_validated":
      callFor(event, event.data.call_id).validated ??= event;
      break;
    case "approval_required":
      callFor(event, event.data.call_id).required.push(event);
      break;
    case "approval_granted":
      callFor(event, event.data.call_id).granted.push(event);
      break;
    case "approval_denied":
      callFor(event, event.data.call_id).denied.push(event);
      break;
    case "skill_loaded":
    case "resource_loaded":
      callFor(event, event.data.call_id).loads.push(event);
      break;
    case "action_executed":
      callFor(event, event.data.call_id, ({ executed }) => doesOther(executed, event)).executed.push(event);
      break;
  }
}

function doesOther(
  executed: readonly AgentEvent<"action_executed">[],
  { data }: AgentEvent<"action_executed">,
) {
  return executed.some((before) => before.data.action !== data.action || before.data.tool !== data.tool);
}

/** The effect of a call, once one began; null for a call that was only attempted. */
export function findStart(call: Call): AgentEvent<"action_executed"> | null {
  return call.executed.find(({ data }) => data.started) ?? null;
}

export interface Refusal {
  code: string;
  message: string;
  at: AgentEvent;
}

/** Why a call never started; null for one that did, or that was not refused. */
export function findRefusal(call: Call): Refusal | null {
  if (findStart(call) !== null) return null;
  const { validated } = call;
  if (validated !== null && !validated.data.ok) return refusalBy(validated, validated.data.error);
  const executed = call.executed.find(({ data }) => data.ok !== true);
  return executed === undefined ? null : refusalBy(executed, executed.data.error);
}

function refusalBy(at: AgentEvent, error: { code: string; message: string } | undefined): Refusal {
  return { code: error?.code ?? "unknown", message: error?.message ?? "no reason given", at };
}

/** What a call is: the type of its action, and the tool where it names one. */
export function callNames(call: Call): readonly string[] {
  const names = new Set<string>();
  const { planned } = call;
  if (planned !== null) {
    const { type, payload } = planned.data.action;
    names.add(type);
    if (type === "call_tool" && typeof payload.tool === "string") names.add(payload.tool);
  }
  for (const { data } of call.executed) for (const name of executedNames(data)) names.add(name);
  return [...names];
}

export function executedNames({ action, tool }: AgentEvent<"action_executed">["data"]): readonly string[] {
  return tool === undefined || tool === action ? [action] : [action, tool];
}

/** The tool a call hands to the tools runtime; null for a call that is none. What ran counts before what was planned. */
export function calledTool(call: Call): string | null {
  const start = findStart(call);
  const ran = start === null ? null : toolAmong(executedNames(start.data));
  return ran === null || ran === "call_tool" ? toolAmong(callNames(call)) : ran;
}

function toolAmong(names: readonly string[]): string | null {
  if (names.includes("run_script")) return "run_script";
  return names.includes("call_tool") ? (names.find((name) => name !== "call_tool") ?? "call_tool") : null;
}

/** The skill a call is about, by the name the model gave it. */
export function calledSkill(call: Call): string | null {
  const recorded = findStart(call)?.data.skill?.name;
  if (recorded !== undefined) return recorded;
  const skill = plannedPayload(call).skill;
  return typeof skill === "object" && skill !== null && !Array.isArray(skill) ? textOr(skill.name) : null;
}

export function plannedPayload(call: Call): JsonObject {
  return (call.planned?.data.action.payload ?? {}) as JsonObject;
}

/** No loop lets more pass; a log may hold any number. */
const maxSelected = 1000;

/** The skills that an action selects; without names that a recording shortened. */
export function selectedIn(call: Call): { name: string; source: string | null }[] {
  const { skills } = plannedPayload(call);
  if (call.planned?.data.action.type !== "select_skills" || !Array.isArray(skills)) return [];
  return skills.slice(0, maxSelected).flatMap((skill) => {
    if (typeof skill !== "object" || skill === null || Array.isArray(skill)) return [];
    const name = textOr(skill.name);
    return name === null ? [] : [{ name, source: textOr(skill.source) }];
  });
}

function textOr(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
