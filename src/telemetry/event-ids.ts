import type { TelemetryContext } from "../contract/telemetry.ts";
import { derivedEventId, isToldTwice, randomEventId } from "./event-id.ts";

/** Turns that go on at the same time are few; of those before them nothing more is told. */
const maxTurns = 1000;

/** Gives ids to events as they are told, and counts within turns where another side counts too. */
export function eventIds(): (name: string, context: TelemetryContext, nowMs: number) => string {
  const ordinals = new Map<string, number>();

  function ordinalOf(name: string, { session_id, turn_id, block_id }: TelemetryContext): number {
    const key = JSON.stringify([name, session_id, turn_id, block_id ?? null]);
    const ordinal = ordinals.get(key) ?? 0;
    ordinals.delete(key);
    ordinals.set(key, ordinal + 1); // the last one told is the last one forgotten
    if (ordinals.size > maxTurns) ordinals.delete(ordinals.keys().next().value as string);
    return ordinal;
  }

  return (name, context, nowMs) => {
    if (!isToldTwice(name) || !context.session_id || !context.turn_id) return randomEventId(nowMs);
    return derivedEventId(name, context, ordinalOf(name, context)) ?? randomEventId(nowMs);
  };
}
