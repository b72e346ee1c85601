import type { TelemetryEvent } from "../../contract/telemetry.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { intakeLimits } from "../limits.ts";
import { type Receipt, readEvent } from "./read-event.ts";

/** An event that was not taken, by its place in the post. */
interface RejectedEvent {
  index: number;
  reason: string;
}

export type ReadPost =
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
