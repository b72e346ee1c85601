import type { EventFile, StoredEvent, TelemetryFilter } from "../contract/telemetry.ts";
import { type Database, eachRow } from "../shared/files/sqlite-driver.ts";
import { applicationId, filterCondition, formatVersion, storedEvent, tables } from "./event-table.ts";
import { eventWriter } from "./event-writer.ts";
import { groupEvents } from "./group-events.ts";
import {
  fileFault,
  guarded,
  inTransaction,
  type Opening,
  openToRead,
  openToWrite,
  type Patience,
  type Shape,
} from "./open-event-database.ts";

export interface EventFileOptions extends Partial<Opening> {
  retentionDays: number;
  /** Opens what is there and changes nothing. */
  readOnly?: boolean | undefined;
}

const defaultPatience: Patience = { patienceMs: 5000, openingPatienceMs: 15_000 };

const shape: Shape = { applicationId, formatVersion, tables, firstTable: "telemetry_events" };
const daySeconds = 24 * 60 * 60;
/** So many rows are scanned together, the oldest first. */
const sweptTogether = 200;

/**
 * Opens the file of events. Whatever is wrong with it, now or later, is a `UserError` that names it: `sqlite-not-found`
 * where it has to be there and is not, else `sqlite-unreadable`.
 */
export async function openEventFile(path: string, options: EventFileOptions): Promise<EventFile> {
  const { retentionDays, readOnly = false, patience = defaultPatience, onNarrowed } = options;
  try {
    const database = await (readOnly
      ? openToRead(path, shape)
      : openToWrite(path, shape, { patience, onNarrowed }));
    return eventFile(database, path, retentionDays);
  } catch (error) {
    throw fileFault(path, error);
  }
}

function eventFile(database: Database, path: string, retentionDays: number): EventFile {
  let write: ReturnType<typeof eventWriter> | null = null;

  function* eachEvent(filter: TelemetryFilter): Generator<StoredEvent> {
    try {
      const { where, values } = filterCondition(filter);
      const select = database.prepare(`SELECT * FROM telemetry_events ${where} ORDER BY id DESC LIMIT ?`);
      for (const row of eachRow(select, ...values, filter.limit)) yield storedEvent(row);
    } catch (error) {
      throw fileFault(path, error);
    }
  }

  return {
    add: (events, receivedAt) =>
      guarded(path, () => {
        write ??= eventWriter(database);
        const put = write;
        const accepted = inTransaction(database, () => put(events, receivedAt));
        return { accepted, duplicates: events.length - accepted };
      }),

    events: (filter) => [...eachEvent(filter)],
    eachEvent,

    groups: (filter, by) => guarded(path, () => groupEvents(database, filter, by)),

    sweep: (now, most = Number.POSITIVE_INFINITY) =>
      guarded(path, () => {
        const before = now - retentionDays * daySeconds;
        let swept = 0;
        while (swept < most) {
          const some = sweepSome(database, before);
          swept += some;
          if (some < sweptTogether) break;
        }
        return swept;
      }),

    [Symbol.dispose]: () => database.close(),
  };
}

/** Rows come in by time, so the oldest are the first: an index on the time of receipt would slow every write for this. */
function sweepSome(database: Database, before: number): number {
  const oldest = `FROM telemetry_events WHERE id IN (SELECT id FROM telemetry_events ORDER BY id LIMIT ${sweptTogether}) AND received_at < ?`;
  if (database.prepare(`SELECT 1 ${oldest} LIMIT 1`).get(before) === undefined) return 0; // looking takes no lock
  return inTransaction(database, () => {
    database
      .prepare(`DELETE FROM telemetry_reports WHERE event_id IN (SELECT event_id ${oldest})`)
      .run(before);
    return Number(database.prepare(`DELETE ${oldest}`).run(before).changes);
  });
}
