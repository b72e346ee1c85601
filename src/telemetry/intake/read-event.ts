import {
  contextFields,
  foreignTelemetryVersion,
  type TelemetryContext,
  type TelemetryEvent,
  telemetrySources,
  telemetryVersion,
} from "../../contract/telemetry.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap, kindOfValue } from "../../shared/json/json-values.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { intakeLimits } from "../limits.ts";
import { eventMembers } from "./event-members.ts";
import type { WithoutId } from "./received-ids.ts";

type ReadEvent = { ok: true; event: TelemetryEvent } | { ok: false; reason: string };

/** What an event gets where its sender left it out. */
interface Receipt {
  /** Unix seconds. */
  receivedAt: number;
  idOf(event: WithoutId): string;
}

/** Reads an event that somebody sent. Whatever can be stored is; what cannot has a reason in one sentence. */
export function readEvent(value: unknown, receipt: Receipt): ReadEvent {
  try {
    return { ok: true, event: toEvent(value, receipt) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.message };
    throw error;
  }
}

class Refused extends Error {}

function toEvent(value: unknown, { receivedAt, idOf }: Receipt): TelemetryEvent {
  if (!isMap(value)) throw new Refused(`an event must be an object, not ${kindOfValue(value)}`);
  const text = checkedText(value);
  const { known, rest } = eventMembers(value);
  checkVersion(known.get("schema_version"));
  const name = readText("event_name", known.get("event_name"));
  if (name === null) throw new Refused("event_name is missing");
  const context = readContext(known);
  const source = readSource(known.get("source"));
  const extra = readExtra(known.get("extra"), rest);
  const ts = known.get("ts");
  return {
    event_id: readText("event_id", known.get("event_id")) ?? idOf({ name, source, context, text }),
    schema_version: telemetryVersion,
    event_name: name,
    ts: typeof ts === "number" && Number.isFinite(ts) ? ts : receivedAt,
    source,
    ...context,
    payload: readPayload(known.get("payload")),
    ...(extra !== null && { extra }),
  };
}

/** The event as JSON text, within all limits. */
function checkedText({ ts, ...rest }: Record<string, unknown>): string {
  // An invalid time is replaced, so it may be anything.
  const members = typeof ts === "number" && Number.isFinite(ts) ? { ts, ...rest } : rest;
  const fault = jsonFault(members, intakeLimits.depth);
  if (fault !== null) throw new Refused(`the event ${fault}`);
  const text = JSON.stringify(members);
  const bytes = Buffer.byteLength(text);
  if (bytes <= intakeLimits.eventBytes) return text;
  throw new Refused(`the event has ${bytes} bytes, limit ${intakeLimits.eventBytes}`);
}

function checkVersion(version: unknown): void {
  if (version === undefined || version === telemetryVersion || version === foreignTelemetryVersion) return;
  const found = typeof version === "string" ? JSON.stringify(shownText(version)) : kindOfValue(version);
  throw new Refused(`schema_version may be ${telemetryVersion} or ${foreignTelemetryVersion}, not ${found}`);
}

const longestName = 128;

/** Null where it is absent. */
function readText(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  const text = readWord(name, value);
  if (text.trim() === "") throw new Refused(`${name} is blank`);
  if (text.length > longestName)
    throw new Refused(`${name} has ${text.length} characters, limit ${longestName}`);
  return text;
}

/** Ids are data, whatever they contain; a number for one is a common mistake. */
function readWord(name: string, value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") throw new Refused(`${name} must be text, not ${kindOfValue(value)}`);
  if (value.includes("\0") || halfOfCharacter.test(value))
    throw new Refused(`${name} contains a character that cannot be stored`);
  return value;
}

/** Has no bytes, as NUL ends a text in SQLite: two ids that differ would become one. */
const halfOfCharacter = /\p{Cs}/u;

function readContext(known: ReadonlyMap<string, unknown>): TelemetryContext {
  const context: TelemetryContext = {};
  for (const field of contextFields) {
    const value = known.get(field);
    if (value !== undefined) context[field] = readWord(field, value);
  }
  return context;
}

function readSource(value: unknown): TelemetryEvent["source"] {
  if (value === undefined) return "client";
  const source = telemetrySources.find((known) => known === value);
  if (source !== undefined) return source;
  const found = typeof value === "string" ? JSON.stringify(shownText(value)) : kindOfValue(value);
  throw new Refused(`source may be ${telemetrySources.join(", ")}, not ${found}`);
}

function readPayload(value: unknown): JsonObject {
  if (value === undefined) return {};
  if (!isMap(value)) throw new Refused(`payload must be an object, not ${kindOfValue(value)}`);
  return value as JsonObject;
}

/** Unknown members are stored for those who know them. */
function readExtra(extra: unknown, rest: readonly (readonly [string, unknown])[]): JsonObject | null {
  const given = isMap(extra) ? Object.entries(extra) : extra === undefined ? [] : [["extra", extra] as const];
  const members = [...rest, ...given];
  return members.length === 0 ? null : (Object.fromEntries(members) as JsonObject);
}

/** Why a value from `JSON.parse` cannot be stored as it is; null where it can. Goes no deeper than the limit. */
function jsonFault(value: unknown, levels: number): string | null {
  return findFault(value, levels, levels);
}

function findFault(value: unknown, levels: number, left: number): string | null {
  // 1e999 is valid JSON text, but not a number that JSON can write.
  if (typeof value === "number")
    return Number.isFinite(value) ? null : "contains a number that is not finite";
  if (value === null || typeof value !== "object") return null;
  if (left === 0) return `is nested deeper than ${levels} levels`;
  for (const member of Object.values(value)) {
    const fault = findFault(member, levels, left - 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** An event that was rejected, by its index in the request. */
interface RejectedEvent {
  index: number;
  reason: string;
}

type ReadPost =
  | { kind: "read"; events: TelemetryEvent[]; rejected: RejectedEvent[] }
  | { kind: "no-post" | "too-many"; problem: string };

/** Reads `{"events":[…]}`. One bad event costs none of the others. */
export function readPost(document: unknown, receipt: Receipt): ReadPost {
  const list = isMap(document) && Object.hasOwn(document, "events") ? document.events : null;
  if (!Array.isArray(list)) return { kind: "no-post", problem: 'the body must be {"events":[…]}' };
  if (list.length > intakeLimits.events)
    return {
      kind: "too-many",
      problem: `too many events in one request: ${list.length}, limit ${intakeLimits.events}`,
    };
  const events: TelemetryEvent[] = [];
  const rejected: RejectedEvent[] = [];
  for (const [index, value] of list.entries()) {
    const read = readEvent(value, receipt);
    if (read.ok) events.push(read.event);
    else rejected.push({ index, reason: read.reason });
  }
  return { kind: "read", events, rejected };
}
