import type { Cache, FloorKey, VectorKey } from "../contract/cache.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import type { Database, Row } from "../shared/files/sqlite-driver.ts";
import { prepareCacheStatements, splitBatches, storedCalibration, storedReply } from "./cache-rows.ts";
import { CacheWriter } from "./cache-writer.ts";
import { isFiniteFloor, memoryCache } from "./memory-cache.ts";
import { settle } from "./open-file.ts";
import { guarded } from "./store-error.ts";
import { decodeVector, encodeVector, isWholeVector } from "./vector-bytes.ts";

/** A use is recorded once a day: `store prune` goes by days, and looking something up should not cost a write. */
const usedAgainMs = 24 * 60 * 60 * 1000;

export interface SqliteCacheOptions {
  clock: Clock;
  patienceMs: number;
  warn: (message: string) => void;
}

/** The cache in a store file. Reading finds what it can; what cannot be written is remembered until it can. */
export function sqliteCache(
  database: Database,
  path: string,
  { clock, patienceMs, warn }: SqliteCacheOptions,
): Cache {
  const sql = prepareCacheStatements(database);
  const writer = new CacheWriter(database, patienceMs);
  const remembered = memoryCache();
  const now = () => isoTime(clock.now());
  const isLongAgo = (usedAt: unknown) => !(Date.parse(String(usedAt)) > clock.now() - usedAgainMs);

  function* readRows({ model, dim }: VectorKey, digests: readonly string[]): Generator<Row> {
    for (const batch of splitBatches(digests))
      yield* attempt(() => sql.selectVectors(batch.length).all(model, dim, ...batch)) ?? [];
  }

  function touchVectors({ model, dim }: VectorKey, digests: readonly string[]): void {
    for (const batch of splitBatches(digests))
      attempt(() => sql.touchVectors(batch.length).run(now(), model, dim, ...batch));
  }

  return {
    vectors(key, digests) {
      const vectors = remembered.vectors(key, digests);
      const longAgo: string[] = [];
      for (const { digest, vector: bytes, used_at } of readRows(key, digests)) {
        const vector = decodeVector(bytes, key.dim);
        if (vector === null) continue;
        vectors.set(digest as string, vector);
        if (isLongAgo(used_at)) longAgo.push(digest as string);
      }
      touchVectors(key, longAgo);
      return vectors;
    },

    keepVectors(key, vectors) {
      const rows = [...vectors]
        .filter(([, vector]) => isWholeVector(vector, key.dim))
        .map(([digest, vector]) => [key.model, key.dim, digest, encodeVector(vector), now()] as const);
      if (rows.length === 0) return;
      const isWritten = writer.write(() => {
        for (const row of rows) sql.insertVector.run(...row);
      });
      if (!isWritten) remembered.keepVectors(key, vectors);
    },

    floor(key) {
      const row = attempt(() => sql.selectFloor.get(...floorColumns(key)));
      if (row === undefined) return remembered.floor(key);
      if (isLongAgo(row.used_at)) attempt(() => sql.touchFloor.run(now(), ...floorColumns(key)));
      const floor = { lo: row.lo as number, sigma: row.sigma as number };
      return isFiniteFloor(floor) ? floor : null;
    },

    keepFloor(key, floor) {
      if (!isFiniteFloor(floor)) return;
      const row = [...floorColumns(key), floor.lo, floor.sigma, now()] as const;
      if (!writer.write(() => sql.insertFloor.run(...row))) remembered.keepFloor(key, floor);
    },

    reply(key) {
      const row = attempt(() => sql.selectReply.get(key));
      if (row === undefined) return remembered.reply(key);
      if (isLongAgo(row.used_at)) attempt(() => sql.touchReply.run(now(), key));
      return storedReply(row.reply);
    },

    keepReply(key, model, reply) {
      const { isCached: _, ...stored } = reply;
      const row = [key, model, JSON.stringify(stored), now()] as const;
      if (!writer.write(() => sql.insertReply.run(...row))) remembered.keepReply(key, model, reply);
    },

    calibration(judge) {
      const row = attempt(() => sql.selectCalibration.get(judge.kind, judge.model, judge.prompt));
      return row === undefined ? null : storedCalibration(row.calibration, judge);
    },

    // A calibration is made to be stored, so a failure is reported at once.
    keepCalibration(calibration) {
      const { kind, model, prompt, at } = calibration;
      const row = [kind, model, prompt, JSON.stringify(calibration), at] as const;
      guarded(path, () => sql.insertCalibration.run(...row));
    },

    async [Symbol.asyncDispose]() {
      try {
        writer.finish();
      } catch (error) {
        warn(`nothing is cached for the next run: ${path} cannot be written: ${(error as Error).message}`);
      } finally {
        settle(database);
        database.close();
      }
    },
  };
}

function floorColumns({ model, dim, catalog, probes, script }: FloorKey) {
  return [model, dim, catalog, probes, script] as const;
}

/** What cannot be read or marked, for damage or a lock, counts as missing and is made anew. */
function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
