import { type TelemetryEvent, type TelemetrySource, telemetryVersion } from "../contract/telemetry.ts";
import { contextFields } from "../contract/telemetry-fields.ts";
import type { Database, Statement } from "../shared/files/sqlite-driver.ts";
import { extraJson, readEventRow } from "./event-table.ts";

/** So many events go in with one statement where they say the same fields, as those of a run do. */
const together = 25;
/** Strangers may send any set of fields; only so many statements are kept ready. */
const maxStatements = 64;

/**
 * Puts events into the table, and says how many it took: new ones as they are, those of another side merged, those reported
 * before not at all. A run emits many events, so this must be fast.
 */
export function eventWriter(
  database: Database,
): (events: readonly TelemetryEvent[], receivedAt: number) => number {
  const inserts = new Map<number, Statement>();
  const merge = merger(database);

  /** Binding a null to each missing field would take a good part of the time. */
  function insertFor(columnBits: number, rows: number): Statement {
    const key = columnBits * 100 + rows;
    const known = inserts.get(key);
    if (known !== undefined) return known;
    const columns = [...ownColumns, ...optionalColumns.filter((_, index) => columnBits & (1 << index))];
    const row = `(?1, '${telemetryVersion}'${", ?".repeat(columns.length - 2)})`;
    const made = database.prepare(
      // Not ON CONFLICT DO NOTHING: for the same that takes half as long again.
      `INSERT OR IGNORE INTO telemetry_events (${columns.join(", ")}) VALUES ${Array(rows).fill(row).join(", ")}`,
    );
    if (inserts.size < maxStatements) inserts.set(key, made);
    return made;
  }

  function insert(events: readonly TelemetryEvent[], columnBits: number, receivedAt: number): number {
    const values = [receivedAt, ...events.flatMap(columnValues)];
    const inserted = Number(insertFor(columnBits, events.length).run(...values).changes);
    // Those that went in are found with their own side and left alone.
    return inserted === events.length ? inserted : inserted + events.filter(merge).length;
  }

  return (events, receivedAt) => {
    let accepted = 0;
    for (let at = 0, end = 0; at < events.length; at = end) {
      const columnBits = filledColumns(events[at] as TelemetryEvent);
      const isAlike = (event: TelemetryEvent | undefined) =>
        event !== undefined && filledColumns(event) === columnBits;
      end = at + 1;
      while (end - at < together && isAlike(events[end])) end++;
      if (end - at < together) end = at + 1;
      accepted += insert(events.slice(at, end), columnBits, receivedAt);
    }
    return accepted;
  };
}

const ownColumns = [
  "received_at",
  "schema_version",
  "event_id",
  "ts",
  "event_name",
  "source",
  "payload_json",
] as const;

/** Each has a bit. */
const optionalColumns = [...contextFields, "extra_json"] as const;

/** Which of the optional columns an event fills. */
function filledColumns(event: TelemetryEvent): number {
  let columnBits = event.extra === undefined ? 0 : 1 << contextFields.length;
  for (let index = 0; index < contextFields.length; index++)
    if (event[contextFields[index] as (typeof contextFields)[number]] !== undefined) columnBits |= 1 << index;
  return columnBits;
}

function columnValues(event: TelemetryEvent): (string | number)[] {
  const { event_id, ts, event_name, source, payload, extra } = event;
  const values = [event_id, ts, event_name, source, JSON.stringify(payload)];
  for (const field of contextFields) {
    const value = event[field];
    if (value !== undefined) values.push(value);
  }
  if (extra !== undefined) values.push(JSON.stringify(extra));
  return values;
}

const mergedColumns = ["ts", "source", "payload_json", "extra_json", "reports"] as const;

/** Merges the report of another side into a stored event. False where this side reported it before. */
function merger(database: Database): (event: TelemetryEvent) => boolean {
  const select = database.prepare("SELECT * FROM telemetry_events WHERE event_id = ?");
  const selectReports = database.prepare("SELECT event_json FROM telemetry_reports WHERE event_id = ?");
  const insertReport = database.prepare(
    "INSERT OR IGNORE INTO telemetry_reports (event_id, source, event_json) VALUES (?, ?, ?)",
  );
  const assignments = [...mergedColumns, ...contextFields].map((column) => `${column} = ?`);
  const update = database.prepare(`UPDATE telemetry_events SET ${assignments.join(", ")} WHERE event_id = ?`);
  return (event) => {
    const row = select.get(event.event_id);
    if (row === undefined || row.event_name !== event.event_name) return false;
    const stored = selectReports
      .all(event.event_id)
      .map(({ event_json }) => JSON.parse(event_json as string));
    const reports: TelemetryEvent[] = stored.length > 0 ? stored : [readEventRow(row)];
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
  };
}

/** Who knows better comes later. */
const bySource: readonly TelemetrySource[] = ["client", "runner", "server"];

/** One event from the reports of several sides: each adds what it knows; the better source wins. */
function mergeReports(reports: readonly TelemetryEvent[]): TelemetryEvent {
  const ranked = [...reports].sort((a, b) => bySource.indexOf(a.source) - bySource.indexOf(b.source));
  const members = (name: "payload" | "extra") => ranked.flatMap((event) => Object.entries(event[name] ?? {}));
  const extra = members("extra");
  return {
    ...(Object.fromEntries(ranked.flatMap((event) => Object.entries(event))) as TelemetryEvent),
    payload: Object.fromEntries(members("payload")),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}
