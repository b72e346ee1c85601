import { contextFields } from "../contract/telemetry.ts";

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

/** Events, and beside them what each side said of those that more than one side told. */
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
