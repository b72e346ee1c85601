import { describe, expect, test } from "vitest";
import type { ModelReply } from "../contract/model.ts";
import type { Calibration, Shelf } from "../contract/shelf.ts";

/** A shelf that starts empty and is gone when the test ends. */
export interface ShelfGround extends AsyncDisposable {
  open(): Promise<Shelf>;
}

export const sampleReply: ModelReply = {
  text: "DECISION=YES REASON=Asks to refactor a file.",
  finishReason: "stop",
  usage: { promptTokens: 310, completionTokens: 17, totalTokens: 327, costUsd: null },
  latencyMs: 412,
};

export const sampleCalibration: Calibration = {
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

/** What every shelf must do: give back what was put on it, under exactly the key it was put there with. */
export function shelfContract(name: string, lay: () => Promise<ShelfGround>): void {
  const on = async (work: (shelf: Shelf) => void) => {
    await using ground = await lay();
    await using shelf = await ground.open();
    work(shelf);
  };

  describe(`${name} keeps the contract of a shelf:`, () => {
    test("an empty shelf has nothing", () =>
      on((shelf) => {
        expect(shelf.vectors(three, ["a"]).size).toBe(0);
        expect(shelf.vectors(three, []).size).toBe(0);
        expect(shelf.floor({ ...three, catalog: "c", probes: "p", script: "han" })).toBeNull();
        expect(shelf.reply("k")).toBeNull();
        expect(shelf.calibration(sampleCalibration)).toBeNull();
      }));

    test("vectors are found by model, dimension and digest, to the bit, however many are asked for", () =>
      on((shelf) => {
        const digests = Array.from({ length: 1201 }, (_, n) => `d${n}`);
        const vectors = new Map(digests.map((digest, n) => [digest, Float32Array.of(n, 0.1, -1 / 3)]));
        shelf.keepVectors(three, vectors);
        shelf.keepVectors({ model: "openai/large", dim: 3 }, new Map([["d0", Float32Array.of(9, 9, 9)]]));

        const found = shelf.vectors(three, [...digests, "unknown", "d0"]);

        expect(found).toEqual(vectors);
        expect(shelf.vectors({ model: "openai/small", dim: 2 }, ["d0"]).size).toBe(0);
        expect([...shelf.vectors({ model: "openai/large", dim: 3 }, ["d0", "d1"]).keys()]).toEqual(["d0"]);
      }));

    test("what a caller does to a vector afterwards changes nothing on the shelf", () =>
      on((shelf) => {
        const given = Float32Array.of(1, 2, 3);
        shelf.keepVectors(three, new Map([["a", given]]));
        given.fill(7);
        shelf.vectors(three, ["a"]).get("a")?.fill(8);

        expect(shelf.vectors(three, ["a"]).get("a")).toEqual(Float32Array.of(1, 2, 3));
      }));

    test("a part of a larger buffer is kept as that part", () =>
      on((shelf) => {
        const part = Float32Array.of(0, 1, 2, 3, 4).subarray(1, 4);
        shelf.keepVectors(three, new Map([["a", part]]));

        expect(shelf.vectors(three, ["a"]).get("a")).toEqual(Float32Array.of(1, 2, 3));
      }));

    test("vectors of a wrong length or without a number are not kept, those beside them are", () =>
      on((shelf) => {
        shelf.keepVectors(
          three,
          new Map([
            ["short", Float32Array.of(1, 2)],
            ["nan", Float32Array.of(1, Number.NaN, 3)],
            ["good", Float32Array.of(1, 2, 3)],
          ]),
        );

        expect([...shelf.vectors(three, ["short", "nan", "good"]).keys()]).toEqual(["good"]);
      }));

    test("floors are found by all of their key, and replaced", () =>
      on((shelf) => {
        const key = { ...three, catalog: "c1", probes: "p1", script: "han" } as const;
        shelf.keepFloor(key, { lo: 0.5, sigma: 0.1 });
        shelf.keepFloor(key, { lo: 0.61, sigma: 0.08 });
        shelf.keepFloor({ ...key, script: "other" }, { lo: 0.2, sigma: Number.NaN });

        expect(shelf.floor(key)).toEqual({ lo: 0.61, sigma: 0.08 });
        for (const other of [{ script: "other" }, { catalog: "c2" }, { probes: "p2" }, { dim: 4 }] as const)
          expect(shelf.floor({ ...key, ...other })).toBeNull();
      }));

    test("a reply comes back as it was, the newest of its key; whether it was cached is not part of it", () =>
      on((shelf) => {
        shelf.keepReply("k1", "m", { ...sampleReply, text: "old" });
        shelf.keepReply("k1", "m", { ...sampleReply, isCached: true });
        shelf.keepReply("k2", "m", { ...sampleReply, usage: null, text: "它会触发 \u0000 \ud83d\ude00" });

        expect(shelf.reply("k1")).toEqual(sampleReply);
        expect(shelf.reply("k2")).toEqual({
          ...sampleReply,
          usage: null,
          text: "它会触发 \u0000 \ud83d\ude00",
        });
        expect(shelf.reply("k3")).toBeNull();
      }));

    test("a calibration is void for another kind, model or prompt", () =>
      on((shelf) => {
        shelf.keepCalibration({ ...sampleCalibration, kappa: null });
        shelf.keepCalibration(sampleCalibration);

        expect(shelf.calibration(sampleCalibration)).toEqual(sampleCalibration);
        for (const change of [{ kind: "catalog" }, { model: "" }, { prompt: "trigger-card/2" }] as const)
          expect(shelf.calibration({ ...sampleCalibration, ...change })).toBeNull();
      }));
  });
}
