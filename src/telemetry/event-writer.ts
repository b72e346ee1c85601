import type { Database, Statement } from "../base/sqlite-driver.ts";
import { contextFields, type TelemetryEvent } from "../contract/telemetry.ts";
import { eventOf, extraJson } from "./event-rows.ts";
import { mergeReports } from "./merge-reports.ts";

/** Puts events into the table: new ones as they are, those of another side merged, those told before not at all. */
export function eventWriter(database: Database): (event: TelemetryEvent, receivedAt: number) => boolean {
  const inserts = new Map<number, Statement>();
  const select = database.prepare("SELECT * FROM telemetry_events WHERE event_id = ?");
  const selectReports = database.prepare("SELECT event_json FROM telemetry_reports WHERE event_id = ?");
  const insertReport = database.prepare(
    "INSERT OR IGNORE INTO telemetry_reports (event_id, source, event_json) VALUES (?, ?, ?)",
  );
  const assignments = [...mergedColumns, ...contextFields].map((column) => `${column} = ?`);
  const update = database.prepare(`UPDATE telemetry_events SET ${assignments.join(", ")} WHERE event_id = ?`);

  /** Events of a run have the same few fields: binding a null to each of the others takes a good part of the time. */
  function insertFor(said: number): Statement {
    const known = inserts.get(said);
    if (known !== undefined) return known;
    const columns = [...ownColumns, ...optionalColumns.filter((_, place) => said & (1 << place))];
    const places = columns.map(() => "?").join(", ");
    const made = database.prepare(
      `INSERT INTO telemetry_events (${columns.join(", ")}) VALUES (${places}) ON CONFLICT (event_id) DO NOTHING`,
    );
    if (inserts.size < mostStatements) inserts.set(said, made);
    return made;
  }

  function merge(event: TelemetryEvent): boolean {
    const row = select.get(event.event_id);
    if (row === undefined || row.event_name !== event.event_name) return false;
    const kept = selectReports.all(event.event_id).map(({ event_json }) => JSON.parse(event_json as string));
    const reports: TelemetryEvent[] = kept.length > 0 ? kept : [eventOf(row)];
    if (reports.some(({ source }) => source === event.source)) return false;
    reports.push(event);
    for (const report of reports) insertReport.run(report.event_id, report.source, JSON.stringify(report));
    const merged = mergeReports(reports);
    update.run(
      merged.ts,
      merged.source,
      JSON.stringify(merged.payload),
      extraJson(merged),
      reports.length,
      ...contextFields.map((field) => merged[field] ?? null),
      event.event_id,
    );
    return true;
  }

  return (event, receivedAt) => {
    const { event_id, ts, schema_version, event_name, source, payload } = event;
    const values = [event_id, receivedAt, ts, schema_version, event_name, source, JSON.stringify(payload)];
    let said = 0;
    for (const [place, column] of optionalColumns.entries()) {
      const value = column === "extra_json" ? extraJson(event) : event[column];
      if (value === undefined || value === null) continue;
      said |= 1 << place;
      values.push(value);
    }
    const { changes } = insertFor(said).run(...values);
    return Number(changes) > 0 || merge(event);
  };
}

/** Strangers may send any set of fields; only so many are kept ready. */
const mostStatements = 64;

const ownColumns = [
  "event_id",
  "received_at",
  "ts",
  "schema_version",
  "event_name",
  "source",
  "payload_json",
] as const;

/** Each has a bit. */
const optionalColumns = [...contextFields, "extra_json"] as const;

const mergedColumns = ["ts", "source", "payload_json", "extra_json", "reports"] as const;
