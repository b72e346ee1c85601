import type { Cache, CalibratedJudge, Calibration, Floor, FloorKey, VectorKey } from "../contract/cache.ts";
import type { ModelReply } from "../contract/model.ts";
import { isWholeVector } from "./vector-bytes.ts";

/** A cache that is forgotten at the end: for commands without a store, and for what a store would not take. */
export function memoryCache(): Cache {
  const vectors = new Map<string, Float32Array>();
  const floors = new Map<string, Floor>();
  const replies = new Map<string, ModelReply>();
  const calibrations = new Map<string, Calibration>();
  return {
    vectors(key, digests) {
      const found = new Map<string, Float32Array>();
      for (const digest of digests) {
        const vector = vectors.get(vectorText(key, digest));
        if (vector !== undefined) found.set(digest, vector.slice());
      }
      return found;
    },
    keepVectors(key, added) {
      for (const [digest, vector] of added)
        if (isWholeVector(vector, key.dim)) vectors.set(vectorText(key, digest), vector.slice());
    },
    floor: (key) => floors.get(floorText(key)) ?? null,
    keepFloor(key, floor) {
      if (isFiniteFloor(floor)) floors.set(floorText(key), { ...floor });
    },
    reply: (key) => replies.get(key) ?? null,
    keepReply(key, _model, { isCached: _, ...reply }) {
      replies.set(key, reply);
    },
    calibration: (judge) => calibrations.get(judgeText(judge)) ?? null,
    keepCalibration(calibration) {
      calibrations.set(judgeText(calibration), calibration);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Whether both are finite numbers. */
export function isFiniteFloor({ lo, sigma }: Floor): boolean {
  return Number.isFinite(lo) && Number.isFinite(sigma);
}

function vectorText({ model, dim }: VectorKey, digest: string): string {
  return JSON.stringify([model, dim, digest]);
}

function floorText({ model, dim, catalog, probes, script }: FloorKey): string {
  return JSON.stringify([model, dim, catalog, probes, script]);
}

function judgeText({ kind, model, prompt }: CalibratedJudge): string {
  return JSON.stringify([kind, model, prompt]);
}
