import { randomBytes } from "node:crypto";
import { sha256 } from "../base/canonical-json.ts";
import type { TelemetryContext } from "../contract/telemetry.ts";

/** What two sides can tell of the same happening: both must arrive at one id. */
export function isToldTwice(eventName: string): boolean {
  return eventName === "chat.turn_start" || eventName === "chat.turn_done" || eventName.startsWith("macro.");
}

/**
 * The id of an event that a client and a server both tell: the SHA-256 of the JSON text
 * `[event_name, session_id, turn_id, block_id or null, ordinal]` without spaces, in UTF-8. The ordinal counts from 0
 * how many events of this name and block the same side told of this turn before. Null where session or turn is unknown.
 */
export function derivedEventId(
  eventName: string,
  { session_id, turn_id, block_id }: TelemetryContext,
  ordinal: number,
): string | null {
  if (!session_id || !turn_id) return null;
  return sha256(JSON.stringify([eventName, session_id, turn_id, block_id ?? null, ordinal]));
}

/** An id that nobody else picks. Those of later events sort after those of earlier ones, which indexes like. */
export function randomEventId(nowMs: number): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, "0").slice(-12);
  counter = nowMs === lastMs ? (counter + 1) & 0xfff : 0;
  lastMs = nowMs;
  const order = counter.toString(16).padStart(3, "0");
  const chance = nextChance();
  const variant = "89ab"[(chance[0] as number) & 3];
  const hex = chance.toString("hex");
  // A UUID of version 7.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-${variant}${hex.slice(1, 4)}-${hex.slice(4)}`;
}

let lastMs = Number.NaN;
let counter = 0;

const chanceBytes = 8;
let pool: Buffer = Buffer.alloc(0);
let used = 0;

/** One call for many ids: each call costs more than the bytes. */
function nextChance(): Buffer {
  if (used + chanceBytes > pool.length) {
    pool = randomBytes(chanceBytes * 256);
    used = 0;
  }
  used += chanceBytes;
  return pool.subarray(used - chanceBytes, used);
}
