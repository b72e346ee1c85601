import { basename, dirname } from "node:path";
import type { TelemetryEvent } from "../contract/telemetry.ts";
import { openOrClose } from "../shared/async/open-or-close.ts";
import { patiently } from "../shared/async/patiently.ts";
import { type Database, filesBeside } from "../shared/files/sqlite-driver.ts";
import {
  fileFault,
  guarded,
  inTransaction,
  type Opening,
  openToWrite,
  type Shape,
} from "./open-event-database.ts";

/** The file beside the events where those wait that could not be sent. */
export function spoolPath(sqlitePath: string): string {
  return `${sqlitePath}.spool`;
}

/** Batches that wait for an endpoint. Several processes may share it: a batch is handed to one of them at a time, and stays until it is sent. */
export interface Spool extends Disposable {
  /** Stores a batch; beyond the limit the oldest are dropped. */
  put(events: readonly TelemetryEvent[], now: number): Lost | null;
  /** The next batch to try; nobody else gets it for a while. */
  take(now: number): { id: number; events: TelemetryEvent[] } | null;
  /** A batch arrived. */
  sent(id: number): void;
  /** A batch did not arrive: others come first the next time. */
  failed(id: number): void;
}

interface Lost {
  count: number;
  /** When the oldest of them was put there. */
  since: number;
}

interface SpoolOptions extends Opening {
  endpoint: string;
  /** What was put there before this is too old to be sent. */
  oldest: number;
}

export const maxSpooled = 20_000;
/** Longer than sending takes: a process that died with a batch gives it back by that. */
const takenSeconds = 10;

const shape: Shape = {
  applicationId: 0x45535370,
  formatVersion: 1,
  firstTable: "spooled_batches",
  tables: `
CREATE TABLE spooled_batches (
  id INTEGER PRIMARY KEY,
  endpoint TEXT NOT NULL,
  spooled_at REAL NOT NULL,
  events INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  taken_until REAL NOT NULL DEFAULT 0,
  events_json TEXT NOT NULL
);`,
};

/** Opens the spool of one endpoint: what waits for another is not sent to this one. */
export async function openSpool(path: string, options: SpoolOptions): Promise<Spool> {
  const { endpoint, oldest, patience } = options;
  try {
    const database = await openToWrite(path, shape, options);
    return await openOrClose(
      () => database.close(),
      async () => {
        await patiently(
          () => database.prepare("DELETE FROM spooled_batches WHERE spooled_at < ?").run(oldest),
          patience.openingPatienceMs,
        );
        return spoolIn(database, path, endpoint);
      },
    );
  } catch (error) {
    throw fileFault(path, error);
  }
}

function spoolIn(database: Database, path: string, endpoint: string): Spool {
  const insert = database.prepare(
    "INSERT INTO spooled_batches (endpoint, spooled_at, events, events_json) VALUES (?, ?, ?, ?)",
  );
  const total = database.prepare("SELECT coalesce(sum(events), 0) AS events FROM spooled_batches");
  const oldest = database.prepare("SELECT id, events, spooled_at FROM spooled_batches ORDER BY id LIMIT 1");
  const remove = database.prepare("DELETE FROM spooled_batches WHERE id = ?");
  const next = database.prepare(
    "SELECT id, events_json FROM spooled_batches WHERE endpoint = ? AND taken_until < ? ORDER BY attempts, id LIMIT 1",
  );
  const take = database.prepare("UPDATE spooled_batches SET taken_until = ? WHERE id = ?");
  const putOff = database.prepare(
    "UPDATE spooled_batches SET attempts = attempts + 1, taken_until = 0 WHERE id = ?",
  );

  function makeRoom(): Lost | null {
    let count = 0;
    let since = Number.POSITIVE_INFINITY;
    for (let left = total.get()?.events as number; left > maxSpooled; ) {
      const row = oldest.get();
      if (row === undefined) break;
      remove.run(row.id as number);
      left -= row.events as number;
      count += row.events as number;
      since = Math.min(since, row.spooled_at as number);
    }
    return count === 0 ? null : { count, since };
  }

  return {
    put: (events, now) =>
      guarded(path, () =>
        inTransaction(database, () => {
          insert.run(endpoint, now, events.length, JSON.stringify(events));
          return makeRoom();
        }),
      ),
    take: (now) =>
      guarded(path, () =>
        inTransaction(database, () => {
          const row = next.get(endpoint, now);
          if (row === undefined) return null;
          take.run(now + takenSeconds, row.id as number);
          return { id: row.id as number, events: JSON.parse(row.events_json as string) as TelemetryEvent[] };
        }),
      ),
    sent: (id) => void guarded(path, () => remove.run(id)),
    failed: (id) => void guarded(path, () => putOff.run(id)),
    [Symbol.dispose]: () => database.close(),
  };
}

/** The default folder of our own files. */
const ownFolder = ".eval-skills";

/** Everything that telemetry writes: no part of a skill, and shown to none. */
export function writtenPaths(sqlitePath: string): string[] {
  const files = [sqlitePath, spoolPath(sqlitePath)].flatMap((file) => [file, ...filesBeside(file)]);
  const folder = dirname(sqlitePath);
  return basename(folder) === ownFolder ? [folder, ...files] : files;
}
