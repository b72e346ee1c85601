import { describe, expect, test } from "vitest";
import type { Cache, Calibration } from "../contract/cache.ts";
import type { ModelReply } from "../contract/model.ts";

/** A cache that starts empty and is gone when the test ends. */
export interface CacheFixture extends AsyncDisposable {
  open(): Promise<Cache>;
}

export const replyFixture: ModelReply = {
  text: "DECISION=YES REASON=Asks to refactor a file.",
  finishReason: "stop",
  usage: { promptTokens: 310, completionTokens: 17, totalTokens: 327, costUsd: null },
  latencyMs: 412,
};

export const calibrationFixture: Calibration = {
  kind: "model",
  model: "anthropic/claude-haiku-4-5",
  prompt: "trigger-card/1",
  labels: 40,
  unanswered: 1,
  agreement: 0.95,
  kappa: 0.9,
  interval: { lower: 0.76, upper: 1 },
  goldSha256: "sha256:gold",
  seed: 0,
  at: "2026-03-01T07:24:31.007Z",
};

const three = { model: "openai/small", dim: 3 };

/** What every cache must do: give back what was put on it, under exactly the key it was put there with. */
export function cacheContract(name: string, setUp: () => Promise<CacheFixture>): void {
  const on = async (work: (cache: Cache) => void) => {
    await using fixture = await setUp();
    await using cache = await fixture.open();
    work(cache);
  };

  describe(`${name} keeps the contract of a cache:`, () => {
    test("an empty cache has nothing", () =>
      on((cache) => {
        expect(cache.vectors(three, ["a"]).size).toBe(0);
        expect(cache.vectors(three, []).size).toBe(0);
        expect(cache.floor({ ...three, catalog: "c", probes: "p", script: "han" })).toBeNull();
        expect(cache.reply("k")).toBeNull();
        expect(cache.calibration(calibrationFixture)).toBeNull();
      }));

    test("vectors are found by model, dimension and digest, to the bit, however many are read", () =>
      on((cache) => {
        const digests = Array.from({ length: 1201 }, (_, n) => `d${n}`);
        const vectors = new Map(digests.map((digest, n) => [digest, Float32Array.of(n, 0.1, -1 / 3)]));
        cache.keepVectors(three, vectors);
        cache.keepVectors({ model: "openai/large", dim: 3 }, new Map([["d0", Float32Array.of(9, 9, 9)]]));

        const found = cache.vectors(three, [...digests, "unknown", "d0"]);

        expect(found).toEqual(vectors);
        expect(cache.vectors({ model: "openai/small", dim: 2 }, ["d0"]).size).toBe(0);
        expect([...cache.vectors({ model: "openai/large", dim: 3 }, ["d0", "d1"]).keys()]).toEqual(["d0"]);
      }));

    test("what a caller does to a vector afterwards changes nothing on the cache", () =>
      on((cache) => {
        const given = Float32Array.of(1, 2, 3);
        cache.keepVectors(three, new Map([["a", given]]));
        given.fill(7);
        cache.vectors(three, ["a"]).get("a")?.fill(8);

        expect(cache.vectors(three, ["a"]).get("a")).toEqual(Float32Array.of(1, 2, 3));
      }));

    test("a part of a larger buffer is stored as that part", () =>
      on((cache) => {
        const part = Float32Array.of(0, 1, 2, 3, 4).subarray(1, 4);
        cache.keepVectors(three, new Map([["a", part]]));

        expect(cache.vectors(three, ["a"]).get("a")).toEqual(Float32Array.of(1, 2, 3));
      }));

    test("vectors of a wrong length or without a number are not stored, those next to them are", () =>
      on((cache) => {
        cache.keepVectors(
          three,
          new Map([
            ["short", Float32Array.of(1, 2)],
            ["nan", Float32Array.of(1, Number.NaN, 3)],
            ["good", Float32Array.of(1, 2, 3)],
          ]),
        );

        expect([...cache.vectors(three, ["short", "nan", "good"]).keys()]).toEqual(["good"]);
      }));

    test("floors are found by all of their key, and replaced", () =>
      on((cache) => {
        const key = { ...three, catalog: "c1", probes: "p1", script: "han" } as const;
        cache.keepFloor(key, { lo: 0.5, sigma: 0.1 });
        cache.keepFloor(key, { lo: 0.61, sigma: 0.08 });
        cache.keepFloor({ ...key, script: "other" }, { lo: 0.2, sigma: Number.NaN });

        expect(cache.floor(key)).toEqual({ lo: 0.61, sigma: 0.08 });
        for (const other of [{ script: "other" }, { catalog: "c2" }, { probes: "p2" }, { dim: 4 }] as const)
          expect(cache.floor({ ...key, ...other })).toBeNull();
      }));

    test("a reply comes back as it was, the newest of its key; whether it was cached is not part of it", () =>
      on((cache) => {
        cache.keepReply("k1", "m", { ...replyFixture, text: "old" });
        cache.keepReply("k1", "m", { ...replyFixture, isCached: true });
        cache.keepReply("k2", "m", { ...replyFixture, usage: null, text: "它会触发 \u0000 \ud83d\ude00" });

        expect(cache.reply("k1")).toEqual(replyFixture);
        expect(cache.reply("k2")).toEqual({
          ...replyFixture,
          usage: null,
          text: "它会触发 \u0000 \ud83d\ude00",
        });
        expect(cache.reply("k3")).toBeNull();
      }));

    test("a calibration is void for another kind, model or prompt", () =>
      on((cache) => {
        cache.keepCalibration({ ...calibrationFixture, kappa: null });
        cache.keepCalibration(calibrationFixture);

        expect(cache.calibration(calibrationFixture)).toEqual(calibrationFixture);
        for (const change of [{ kind: "catalog" }, { model: "" }, { prompt: "trigger-card/2" }] as const)
          expect(cache.calibration({ ...calibrationFixture, ...change })).toBeNull();
      }));
  });
}
