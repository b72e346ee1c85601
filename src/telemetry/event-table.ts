import {
  contextFields,
  type StoredEvent,
  type TelemetryEvent,
  type TelemetryFilter,
  telemetryVersion,
} from "../contract/telemetry.ts";
import type { Row } from "../shared/files/sqlite-driver.ts";
import type { JsonObject } from "../shared/json/json.ts";

/** `ESTl`: says of a file that it is ours. */
export const applicationId = 0x4553546c;
export const formatVersion = 1;

const indexed = [
  "ts",
  "event_name",
  "run_id",
  "session_id",
  "case_id",
  "host_app",
  "doc_key",
  "block_id",
  "client_id",
] as const;

const isContext = (column: string) => contextFields.some((field) => field === column);

/** An index leaves out the rows that do not say what it is about: most events have few of these fields, and writing is what has to be quick. */
const indexes = indexed.map((column) => {
  const some = isContext(column) ? ` WHERE ${column} IS NOT NULL` : "";
  return `CREATE INDEX telemetry_events_${column} ON telemetry_events (${column})${some};`;
});

/** Events, and the single reports of those that more than one side reported. */
export const tables = `
CREATE TABLE telemetry_events (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  received_at REAL NOT NULL,
  ts REAL NOT NULL,
  schema_version TEXT NOT NULL,
  event_name TEXT NOT NULL,
  source TEXT NOT NULL,
  ${contextFields.map((field) => `${field} TEXT,`).join("\n  ")}
  payload_json TEXT NOT NULL,
  extra_json TEXT,
  reports INTEGER NOT NULL DEFAULT 1
);
${indexes.join("\n")}
CREATE TABLE telemetry_reports (
  event_id TEXT NOT NULL,
  source TEXT NOT NULL,
  event_json TEXT NOT NULL,
  PRIMARY KEY (event_id, source)
) WITHOUT ROWID;
`;

/** A row of the table as the event it keeps. */
export function storedEvent(row: Row): StoredEvent {
  return {
    id: row.id as number,
    received_at: row.received_at as number,
    ...readEventRow(row),
    reports: row.reports as number,
  };
}

export function readEventRow(row: Row): TelemetryEvent {
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

/** What a filter asks for, as the condition of a statement. Values are bound, never written into it. */
export function filterCondition(filter: Partial<TelemetryFilter>): {
  where: string;
  values: (string | number)[];
} {
  const conditions: [sql: string, value: string | number | undefined][] = [
    ["ts >= ?", filter.sinceTs],
    ["ts <= ?", filter.untilTs],
    ["id < ?", filter.beforeId],
    ["event_name = ?", filter.eventName],
    ...contextFields.map(
      (field) => [`${field} = ?`, filter.context?.[field]] as [string, string | undefined],
    ),
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    where: given.length === 0 ? "" : `WHERE ${given.map(([sql]) => sql).join(" AND ")}`,
    values: given.map(([, value]) => value as string | number),
  };
}
