import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { toolArguments } from "../../../contract/agent-tools.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Call, calledTool, findStart, plannedPayload } from "./call.ts";
import { comparable, isRecorded, recordedText } from "./recorded-text.ts";
import { type RunView, unknownWords } from "./run-view.ts";

/** Whether every planned action was refused or executed, once, and as it was planned. */
export function checkFates(view: RunView): CheckResult[] {
  const silence = view.records("calls") ? null : unknownWords("calls");
  const check = { isRequired: false, exercised: view.calls.length > 0 };
  const lost = view.isNative ? [] : view.calls.filter((call) => isLost(view, call));
  return [
    {
      ...check,
      name: "every planned action has one fate",
      unseen: silence ?? (lost.length > 0 ? "how some calls ended was not recorded" : null),
      faults: firstOfEach(view.calls.flatMap((call) => fateFaults(view, call))),
    },
    {
      ...check,
      name: "what ran is what was planned",
      unseen: silence ?? unaudited(view),
      faults: firstOfEach(view.calls.flatMap((call) => alterations(view, call))),
    },
  ];
}

/** Whether a call was planned and nothing says what became of it: it may have run. */
export function isLost(view: RunView, { planned, validated, executed }: Call): boolean {
  return planned !== null && validated?.data.ok !== false && executed.length === 0 && !isBrokenOff(view);
}

/** A defect of ours, or the end of the process, can end a run in the middle of an action; there is no verdict then. */
function isBrokenOff(view: RunView): boolean {
  return view.isCutShort && view.of("turn_finished").at(-1)?.data.outcome === "stopped";
}

function fateFaults(view: RunView, call: Call): Fault[] {
  const { planned, validated, executed } = call;
  const events = eventsOf(call);
  if (planned === null)
    return isPart(view, call)
      ? []
      : [
          {
            code: "ActionUnplanned",
            message: `${shownCall(call)} of turn ${events[0]?.turn ?? 0} was never planned`,
            expected: "action_planned before any other event of a call",
            actual: { call_id: call.id, events: events.map(({ type }) => type).slice(0, 10) },
            at: events,
          },
        ];
  const isRefused = validated?.data.ok === false;
  // That a tool ran although it was refused is a fault of security.
  const isRepeated =
    executed.length > 1 || (isRefused && executed.length > 0 && !(calledTool(call) && findStart(call)));
  if (isRepeated)
    return [
      {
        code: "ActionRepeated",
        message: isRefused
          ? `${shownCall(call)} was refused, and executed all the same`
          : `${shownCall(call)} was planned once and executed ${executed.length} times`,
        expected: "one fate of every planned action",
        actual: { call_id: call.id, refused: isRefused, executed: executed.length },
        at: [planned, ...(isRefused && validated !== null ? [validated] : []), ...executed],
      },
    ];
  if (!view.isNative || !isLost(view, call)) return [];
  return [
    {
      code: "ActionLost",
      message: `${shownCall(call)} was planned in turn ${planned.turn}, and neither refused nor executed`,
      expected: "one fate of every planned action",
      actual: { call_id: call.id, refused: false, executed: 0 },
      at: [planned],
    },
  ];
}

/** Whether a call is only what another one did among other things. */
function isPart(view: RunView, { executed }: Call): boolean {
  return (
    executed.length > 0 &&
    executed.every(
      ({ seq, data: { part_of } }) => part_of !== undefined && view.call(part_of, seq)?.planned != null,
    )
  );
}

function eventsOf({ validated, required, granted, denied, loads, executed }: Call): AgentEvent[] {
  const all = [validated, ...required, ...granted, ...denied, ...loads, ...executed];
  return all.filter((event) => event !== null).sort((a, b) => a.seq - b.seq);
}

/** A tool of ours that ran leaves an audit, unless the end of the run broke it off. */
function unaudited(view: RunView): string | null {
  const lacks = (call: Call) => {
    const start = findStart(call);
    return (
      calledTool(call) !== null &&
      start !== null &&
      start.data.audit === undefined &&
      start.data.error?.reason !== "run_ended"
    );
  };
  return view.isNative && view.calls.some(lacks) ? "the audit of a call was not recorded" : null;
}

interface Alteration {
  what: string;
  planned: Json;
  done: Json;
}

/** Where what ran, or what its audit says, differs from what was planned. */
function alterations(view: RunView, call: Call): Fault[] {
  const { planned } = call;
  const executed = call.executed[0];
  if (planned === null || executed === undefined) return [];
  const [found] = [
    ...differingAction(view, call, executed),
    ...differingSkill(view, call, executed),
    ...differingAudit(view, call, executed),
  ];
  if (found === undefined) return [];
  return [
    {
      code: "ActionAltered",
      message: `${found.what} differs from what was planned: ${shownText(JSON.stringify(found.done), 120)} instead of ${shownText(JSON.stringify(found.planned), 120)}`,
      expected: found.planned,
      actual: found.done,
      at: [planned, executed],
    },
  ];
}

type Executed = AgentEvent<"action_executed">;

function differingAction(view: RunView, call: Call, { data }: Executed): Alteration[] {
  const type = call.planned?.data.action.type ?? "";
  if (data.action !== type) return [{ what: "the action that ran", planned: type, done: data.action }];
  const wanted = plannedTool(call);
  const done = data.tool ?? null;
  const isSame =
    done === null || wanted === null
      ? wanted === done || (!view.isNative && type === "run_script")
      : isSameText(wanted, done);
  return isSame ? [] : [{ what: "the tool that ran", planned: wanted, done }];
}

/** The tool as the plan names it; it may be a hash. */
function plannedTool(call: Call): Json {
  const type = call.planned?.data.action.type;
  if (type === "run_script") return "run_script";
  return type === "call_tool" ? (plannedPayload(call).tool ?? null) : null;
}

function isSameText(recorded: Json, text: string): boolean {
  const known = recordedText(recorded);
  return known !== null && isRecorded(known, text);
}

function differingSkill(view: RunView, call: Call, { data }: Executed): Alteration[] {
  const { skill } = plannedPayload(call);
  if (!usesSkill(call) || !isMap(skill) || typeof skill.name !== "string") return [];
  const planned = skill as JsonObject;
  const what = "the skill that was used";
  if (data.skill === undefined) return view.isNative ? [{ what, planned, done: null }] : [];
  const done: JsonObject = { name: data.skill.name, source: data.skill.source ?? null };
  return isSameSkill(view, planned, done) ? [] : [{ what, planned, done }];
}

function usesSkill({ planned }: Call): boolean {
  return planned?.data.action.type === "run_script" || planned?.data.action.type === "load_resource";
}

function isSameSkill({ index }: RunView, one: JsonObject, other: JsonObject): boolean {
  const isSource = one.source == null || other.source == null || one.source === other.source;
  return isSource && index.indexedName(String(one.name)) === index.indexedName(String(other.name));
}

function differingAudit(view: RunView, call: Call, { data }: Executed): Alteration[] {
  const { audit } = data;
  if (audit === undefined) return [];
  const tool = data.tool ?? data.action;
  if (audit.tool !== tool) return [{ what: "the audited tool", planned: tool, done: audit.tool }];
  const planned = withDefaults(tool, plannedParams(call));
  const done = withDefaults(tool, audit.params as JsonObject);
  const isSame =
    isMap(planned.skill) && isMap(done.skill) && usesSkill(call)
      ? isSameSkill(view, planned.skill as JsonObject, done.skill as JsonObject) &&
        isSameValue(withoutSkill(planned), withoutSkill(done))
      : isSameValue(planned, done);
  return isSame ? [] : [{ what: "the audited arguments", planned, done }];
}

function withoutSkill({ skill: _, ...rest }: JsonObject): JsonObject {
  return rest;
}

function isSameValue(one: Json, other: Json): boolean {
  return canonicalJson(comparable(one)) === canonicalJson(comparable(other));
}

function plannedParams(call: Call): JsonObject {
  const payload = plannedPayload(call);
  if (usesSkill(call)) return payload;
  return isMap(payload.arguments) ? (payload.arguments as JsonObject) : {};
}

/** Arguments with what a tool of ours adds where they are left out. */
function withDefaults(tool: string, given: JsonObject): JsonObject {
  if (!Object.hasOwn(toolArguments, tool)) return given;
  const read = toolArguments[tool as keyof typeof toolArguments].safeParse(given);
  return read.success ? (read.data as JsonObject) : given;
}

function firstOfEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.code, fault])).values()].reverse();
}

function shownCall(call: Call): string {
  return shownText(
    calledTool(call) ?? call.planned?.data.action.type ?? call.executed[0]?.data.action ?? call.id,
  );
}
