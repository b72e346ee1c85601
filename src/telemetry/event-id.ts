import { randomBytes } from "node:crypto";
import type { TelemetryContext } from "../contract/telemetry.ts";
import { sha256 } from "../shared/json/canonical-json.ts";

/** What two sides can report of the same event: both must derive one id. */
export function isReportedTwice(eventName: string): boolean {
  return eventName === "chat.turn_start" || eventName === "chat.turn_done" || eventName.startsWith("macro.");
}

/**
 * The id of an event that a client and a server both report: the SHA-256 of the JSON text
 * `[event_name, session_id, turn_id, block_id or null, ordinal]` without spaces, in UTF-8. The ordinal counts from 0
 * how many events of this name and block the same side reported of this turn before. Null where session or turn is unknown.
 */
export function derivedEventId(
  eventName: string,
  { session_id, turn_id, block_id }: TelemetryContext,
  ordinal: number,
): string | null {
  if (!session_id || !turn_id) return null;
  return sha256(JSON.stringify([eventName, session_id, turn_id, block_id ?? null, ordinal]));
}

/** An id that nobody else picks, a UUID of version 7: those of later events sort after those of earlier ones, which indexes like. */
export function randomEventId(nowMs: number): string {
  if (nowMs !== last.ms) last = { ms: nowMs, text: timeText(nowMs), count: 0 };
  const order = (last.count++ & 0xfff).toString(16).padStart(3, "0");
  return `${last.text}-7${order}-${nextChance()}`;
}

/** Events of the same millisecond need not have it spelled again. */
let last = { ms: Number.NaN, text: "", count: 0 };

function timeText(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0").slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

let pool: string[] = [];

/** One call for many ids: each call costs more than the bytes. */
function nextChance(): string {
  if (pool.length === 0) {
    const hex = randomBytes(256 * 8).toString("hex");
    pool = Array.from({ length: 256 }, (_, index) => chanceText(hex.slice(16 * index, 16 * index + 16)));
  }
  return pool.pop() as string;
}

function chanceText(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex.slice(0, 1), 16) & 3];
  return `${variant}${hex.slice(1, 4)}-${hex.slice(4)}`;
}

/** Few turns go on at the same time; earlier ones emit nothing more. */
const maxTurns = 1000;

/** Gives ids to events as they are emitted, and counts within turns where another side counts too. */
export function eventIds(): (name: string, context: TelemetryContext, nowMs: number) => string {
  const ordinals = new Map<string, number>();

  function ordinalOf(name: string, { session_id, turn_id, block_id }: TelemetryContext): number {
    const key = JSON.stringify([name, session_id, turn_id, block_id ?? null]);
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.delete(key);
    ordinals.set(key, ordinal + 1); // the most recent is forgotten last
    if (ordinals.size > maxTurns) ordinals.delete(ordinals.keys().next().value as string);
    return ordinal;
  }

  return (name, context, nowMs) => {
    if (!isReportedTwice(name) || !context.session_id || !context.turn_id) return randomEventId(nowMs);
    return derivedEventId(name, context, ordinalOf(name, context)) ?? randomEventId(nowMs);
  };
}
