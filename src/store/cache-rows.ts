import * as z from "zod";
import type { CalibratedJudge, Calibration } from "../contract/cache.ts";
import { judgeKinds } from "../contract/judge-kind.ts";
import type { ModelReply } from "../contract/model.ts";
import { Usage } from "../contract/outcome.ts";
import type { Database, Statement } from "../shared/files/sqlite-driver.ts";

type CacheStatementName =
  | "insertVector"
  | "selectFloor"
  | "touchFloor"
  | "insertFloor"
  | "selectReply"
  | "touchReply"
  | "insertReply"
  | "selectCalibration"
  | "insertCalibration";

/** Those that name many rows are made for as many as there are. */
type CacheStatements = Record<CacheStatementName, Statement> &
  Record<"selectVectors" | "touchVectors", (digests: number) => Statement>;

const batchSize = 500;

/** As many at once as one statement may name. */
export function* splitBatches(digests: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < digests.length; at += batchSize) yield digests.slice(at, at + batchSize);
}

/** Every statement of the cache, in SQL that SQLite and PostgreSQL both read. */
export function prepareCacheStatements(database: Database): CacheStatements {
  const floorKey = "model = ? AND dim = ? AND catalog = ? AND probes = ? AND script = ?";
  return {
    selectVectors: (digests) =>
      database.prepare(`SELECT digest, vector, used_at FROM routing_vectors WHERE ${vectorKeys(digests)}`),
    touchVectors: (digests) =>
      database.prepare(`UPDATE routing_vectors SET used_at = ? WHERE ${vectorKeys(digests)}`),
    insertVector: database.prepare(
      `INSERT INTO routing_vectors (model, dim, digest, vector, used_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (model, dim, digest) DO UPDATE SET vector = excluded.vector, used_at = excluded.used_at`,
    ),
    selectFloor: database.prepare(`SELECT lo, sigma, used_at FROM routing_floors WHERE ${floorKey}`),
    touchFloor: database.prepare(`UPDATE routing_floors SET used_at = ? WHERE ${floorKey}`),
    insertFloor: database.prepare(
      `INSERT INTO routing_floors (model, dim, catalog, probes, script, lo, sigma, used_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (model, dim, catalog, probes, script) DO UPDATE SET lo = excluded.lo,
          sigma = excluded.sigma, used_at = excluded.used_at`,
    ),
    selectReply: database.prepare("SELECT reply, used_at FROM judge_replies WHERE key = ?"),
    touchReply: database.prepare("UPDATE judge_replies SET used_at = ? WHERE key = ?"),
    insertReply: database.prepare(
      `INSERT INTO judge_replies (key, model, reply, used_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET model = excluded.model, reply = excluded.reply,
          used_at = excluded.used_at`,
    ),
    selectCalibration: database.prepare(
      "SELECT calibration FROM judge_calibrations WHERE kind = ? AND model = ? AND prompt = ?",
    ),
    insertCalibration: database.prepare(
      `INSERT INTO judge_calibrations (kind, model, prompt, calibration, calibrated_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (kind, model, prompt) DO UPDATE SET calibration = excluded.calibration,
          calibrated_at = excluded.calibrated_at`,
    ),
  };
}

function vectorKeys(digests: number): string {
  return `model = ? AND dim = ? AND digest IN (${Array.from({ length: digests }, () => "?").join(", ")})`;
}

const StoredReply = z.object({
  text: z.string(),
  finishReason: z.enum(["stop", "length", "content-filter", "other"]),
  usage: Usage.nullable(),
  latencyMs: z.number(),
});

const StoredCalibration = z.object({
  kind: z.enum(judgeKinds),
  model: z.string(),
  prompt: z.string(),
  labels: z.number(),
  unanswered: z.number(),
  agreement: z.number().nullable(),
  kappa: z.number().nullable(),
  interval: z.object({ lower: z.number(), upper: z.number() }).nullable(),
  goldSha256: z.string(),
  seed: z.number(),
  at: z.string(),
});

/** A stored reply; null where the row is not one. */
export function storedReply(text: unknown): ModelReply | null {
  return parsed(text, StoredReply);
}

/** A stored calibration of this judge; null where the row is not one. */
export function storedCalibration(text: unknown, judge: CalibratedJudge): Calibration | null {
  const found = parsed(text, StoredCalibration);
  const isIts = found?.kind === judge.kind && found.model === judge.model && found.prompt === judge.prompt;
  return isIts ? found : null;
}

function parsed<Value>(text: unknown, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch {
    return null; // damaged: it is requested again
  }
}
