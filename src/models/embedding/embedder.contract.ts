import { describe, expect, test } from "vitest";
import type { Embedder, EmbedOutcome } from "../../contract/model.ts";

/** An embedder, and what must be cleaned up after it. */
export interface OpenEmbedder extends AsyncDisposable {
  embedder: Embedder;
}

export interface EmbedderSubjects {
  /** An embedder that works. */
  working(): Promise<OpenEmbedder>;
  /** An embedder that cannot give any vector. */
  failing(): Promise<OpenEmbedder>;
  /** An embedder that takes so long over these texts that it can be interrupted. */
  slow(): Promise<OpenEmbedder>;
}

const patience = new AbortController().signal;
const reason = new Error("the user wants to stop");
const texts = ["Review a contract", "审阅合同条款", "Make slides", "What is the weather like?"];

/** What every embedder must do. A new one is done when this passes. */
export function embedderContract(name: string, { working, failing, slow }: EmbedderSubjects): void {
  describe(`the embedder contract: ${name}`, () => {
    test("each text gets its vector, in their order, of the length it promises", async () => {
      await using subject = await working();
      const { embedder } = subject;

      const vectors = vectorsIn(await embedder.embed(texts, patience));
      const reversed = vectorsIn(await embedder.embed([...texts].reverse(), patience));

      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dim);
        expect(vector.every(Number.isFinite)).toBe(true);
      }
      expect(reversed.reverse()).toEqual(vectors);
      expect(new Set(vectors.map(String)).size).toBe(texts.length);
    });

    test("a text has the same vector among many others, and in calls at the same time", async () => {
      await using subject = await working();
      const few = ["tea", "茶", "map"];
      const many = Array.from({ length: 34 }, (_, index) => few[index % few.length] ?? "");

      const [alone, together, again] = await Promise.all(
        [few, many, few].map((list) => subject.embedder.embed(list, patience)),
      );

      const vectors = vectorsIn(alone);
      expect(vectorsIn(together)).toEqual(many.map((_, index) => vectors[index % few.length]));
      expect(vectorsIn(again)).toEqual(vectors);
    });

    test("no texts have no vectors", async () => {
      await using subject = await working();

      expect(await subject.embedder.embed([], patience)).toEqual({ status: "embedded", vectors: [] });
    });

    test.each([
      ["half a character", "\ud800"],
      ["control characters", "a\0b\u001b[31m"],
      ["a very long text", "a long word and 长 ".repeat(2000)],
    ])("%s is no reason to throw", async (_name, text) => {
      await using subject = await working();

      expect(await subject.embedder.embed([text], patience)).toMatchObject({
        status: expect.stringMatching(/^(?:embedded|failed)$/),
      });
    });

    test("who cannot answer says so in words, and does not throw", async () => {
      await using subject = await failing();

      expect(await subject.embedder.embed(texts, patience)).toEqual({
        status: "failed",
        message: expect.stringMatching(/./),
      });
    });

    test("a call that was interrupted before it began throws the reason", async () => {
      await using subject = await working();

      await expect(subject.embedder.embed(texts, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    test("an interruption ends a call, which throws the reason", async () => {
      await using subject = await slow();
      const interruption = new AbortController();

      const call = subject.embedder.embed(texts, interruption.signal);
      setImmediate(() => interruption.abort(reason));

      await expect(call).rejects.toBe(reason);
    });

    test("it has a name and a length", async () => {
      await using subject = await working();
      const { model, dim } = subject.embedder;

      expect(model).toMatch(/^[^/]+\/.+/);
      expect(Number.isInteger(dim) && dim > 0).toBe(true);
    });
  });
}

function vectorsIn(outcome: EmbedOutcome | undefined): Float32Array[] {
  if (outcome?.status !== "embedded") throw new Error(outcome?.message ?? "no outcome");
  return outcome.vectors;
}
