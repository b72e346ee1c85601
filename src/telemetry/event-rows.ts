import {
  contextFields,
  type StoredEvent,
  type TelemetryEvent,
  telemetryVersion,
} from "../contract/telemetry.ts";
import type { Row } from "../shared/files/sqlite-driver.ts";
import type { JsonObject } from "../shared/json/json.ts";

/** A row of the table as the event it keeps. */
export function storedEvent(row: Row): StoredEvent {
  return {
    id: row.id as number,
    received_at: row.received_at as number,
    ...eventOf(row),
    reports: row.reports as number,
  };
}

export function eventOf(row: Row): TelemetryEvent {
  return {
    event_id: row.event_id as string,
    schema_version: telemetryVersion,
    event_name: row.event_name as string,
    ts: row.ts as number,
    source: row.source as TelemetryEvent["source"],
    ...Object.fromEntries(
      contextFields.flatMap((field) => (row[field] == null ? [] : [[field, row[field]]])),
    ),
    payload: JSON.parse(row.payload_json as string) as JsonObject,
    ...(row.extra_json !== null && { extra: JSON.parse(row.extra_json as string) as JsonObject }),
  };
}

export function extraJson({ extra }: TelemetryEvent): string | null {
  return extra === undefined ? null : JSON.stringify(extra);
}
