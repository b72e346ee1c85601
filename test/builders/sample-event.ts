import { type TelemetryEvent, telemetryVersion } from "../../src/contract/telemetry.ts";

let made = 0;

/** An event of a test. */
export function sampleEvent(changes: Partial<TelemetryEvent> = {}): TelemetryEvent {
  return {
    event_id: `event-${++made}`,
    schema_version: telemetryVersion,
    event_name: "cell.done",
    ts: 1000,
    source: "runner",
    payload: {},
    ...changes,
  };
}
