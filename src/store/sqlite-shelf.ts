import { type Clock, isoTime } from "../base/clock.ts";
import type { Shelf } from "../contract/shelf.ts";
import { keptCalibration, keptReply } from "./kept-texts.ts";
import { memoryShelf } from "./memory-shelf.ts";
import { rollBack } from "./migrate.ts";
import { batchesOf, prepareShelfStatements } from "./shelf-statements.ts";
import type { Database } from "./sqlite-driver.ts";
import { bytesOf, isWholeVector, vectorOf } from "./vector-bytes.ts";

/** A use is written down once a day: `store prune` goes by days, and looking something up should not cost a write. */
const usedAgainMs = 24 * 60 * 60 * 1000;

/** The shelf in a store file. Reading finds what it can; what cannot be written is remembered, and tried again at the end. */
export function sqliteShelf(
  database: Database,
  { clock, warn }: { clock: Clock; warn: (message: string) => void },
): Shelf {
  const sql = prepareShelfStatements(database);
  const remembered = memoryShelf();
  const unwritten: (() => void)[] = [];
  const now = () => isoTime(clock.now());

  function keep(write: () => void, remember: () => void): void {
    try {
      inTransaction(write);
    } catch {
      unwritten.push(write);
      remember();
    }
  }

  function inTransaction(write: () => void): void {
    database.exec("BEGIN IMMEDIATE");
    try {
      write();
      database.exec("COMMIT");
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  /** Damage and locks that are met while reading: what is not found is made anew. */
  function found<Value>(read: () => Value, otherwise: Value): Value {
    try {
      return read();
    } catch {
      return otherwise;
    }
  }

  function used(usedAt: unknown, touch: () => void): void {
    if (Date.parse(String(usedAt)) > clock.now() - usedAgainMs) return;
    found(touch, undefined);
  }

  return {
    vectors(key, digests) {
      const vectors = remembered.vectors(key, digests);
      found(() => {
        for (const batch of batchesOf(digests)) {
          const stale: string[] = [];
          for (const row of sql.selectVectors(batch.length).all(key.model, key.dim, ...batch)) {
            const vector = vectorOf(row.vector, key.dim);
            if (vector === null) continue;
            vectors.set(row.digest as string, vector);
            used(row.used_at, () => stale.push(row.digest as string));
          }
          if (stale.length > 0)
            found(() => void sql.touchVectors(stale.length).run(now(), key.model, key.dim, ...stale), undefined);
        }
      }, undefined);
      return vectors;
    },

    keepVectors(key, vectors) {
      const whole = [...vectors].filter(([, vector]) => isWholeVector(vector, key.dim));
      const write = () => {
        for (const [digest, vector] of whole)
          sql.insertVector.run(key.model, key.dim, digest, bytesOf(vector), now());
      };
      if (whole.length > 0) keep(write, () => remembered.keepVectors(key, vectors));
    },

    floor(key) {
      const names = [key.model, key.dim, key.catalog, key.probes, key.script] as const;
      const row = found(() => sql.selectFloor.get(...names), undefined);
      if (row === undefined) return remembered.floor(key);
      used(row.used_at, () => sql.touchFloor.run(now(), ...names));
      const { lo, sigma } = row;
      return Number.isFinite(lo) && Number.isFinite(sigma) ? { lo: lo as number, sigma: sigma as number } : null;
    },

    keepFloor(key, { lo, sigma }) {
      const { model, dim, catalog, probes, script } = key;
      const write = () => void sql.insertFloor.run(model, dim, catalog, probes, script, lo, sigma, now());
      keep(write, () => remembered.keepFloor(key, { lo, sigma }));
    },

    reply(key) {
      const row = found(() => sql.selectReply.get(key), undefined);
      if (row === undefined) return remembered.reply(key);
      used(row.used_at, () => sql.touchReply.run(now(), key));
      return keptReply(row.reply);
    },

    keepReply(key, model, reply) {
      const { isCached: _, ...kept } = reply;
      const write = () => void sql.insertReply.run(key, model, JSON.stringify(kept), now());
      keep(write, () => remembered.keepReply(key, model, reply));
    },

    calibration(judge) {
      const row = found(() => sql.selectCalibration.get(judge.kind, judge.model, judge.prompt), undefined);
      return row === undefined ? remembered.calibration(judge) : keptCalibration(row.calibration, judge);
    },

    keepCalibration(calibration) {
      const { kind, model, prompt, at } = calibration;
      const write = () => void sql.insertCalibration.run(kind, model, prompt, JSON.stringify(calibration), at);
      keep(write, () => remembered.keepCalibration(calibration));
    },

    async [Symbol.asyncDispose]() {
      try {
        if (unwritten.length > 0)
          inTransaction(() => {
            for (const write of unwritten) write();
          });
      } catch (error) {
        warn(`nothing is kept for the next time: the store cannot be written: ${(error as Error).message}`);
      } finally {
        database.close();
      }
    },
  };
}
