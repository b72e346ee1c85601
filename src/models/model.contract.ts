import { describe, expect, test } from "vitest";
import type { Model, ModelCall, ModelRequest } from "../contract/model.ts";

/** A model, and what must be cleaned up after it. */
export interface OpenModel extends AsyncDisposable {
  model: Model;
}

export interface ModelSubjects {
  /** A model whose provider replies to everything with this text. */
  saying(text: string): Promise<OpenModel>;
  /** A model whose provider cannot answer anything. */
  failing(): Promise<OpenModel>;
  /** A model whose provider never replies. Leave it out only where there is nothing to wait for. */
  silent?: () => Promise<OpenModel>;
  /** Why the provider of `saying` reports no usage, if so: else every reply must have one. */
  noUsage?: string;
}

const request: ModelRequest = {
  messages: [
    { role: "system", text: "You are brief." },
    { role: "user", text: "What is two and two?" },
  ],
  temperature: 0,
  trial: 1,
  ordinal: 1,
};

const patience = (): ModelCall => ({ signal: new AbortController().signal });

/** What every model must do. A new one is done when this passes. */
export function modelContract(name: string, { saying, failing, silent, noUsage }: ModelSubjects): void {
  describe(`the model contract: ${name}`, () => {
    test("a reply comes back whole, with a reason for its end and a duration", async () => {
      const text = "Four. ✓ Vier, 四, and nothing else.";
      await using subject = await saying(text);

      const outcome = await subject.model.call(request, patience());

      expect(outcome).toMatchObject({ status: "answered", text, finishReason: "stop" });
      expect(outcome.latencyMs).toBeGreaterThanOrEqual(0);
    });

    test("who listens hears pieces that add up to the reply", async () => {
      const text = "One, two, three, and then some more words to fill a few pieces.";
      await using subject = await saying(text);
      const pieces: string[] = [];

      const outcome = await subject.model.call(request, {
        ...patience(),
        onText: (piece) => pieces.push(piece),
      });

      expect(outcome).toMatchObject({ status: "answered", text });
      expect(pieces.join("")).toBe(text);
      expect(pieces.length).toBeGreaterThan(1);
    });

    const expectation =
      noUsage === undefined ? "told in whole numbers; what is unknown is null" : `null (${noUsage})`;
    test(`usage is ${expectation}`, async () => {
      await using subject = await saying("four");

      const outcome = await subject.model.call(request, patience());

      if (outcome.status !== "answered") throw new Error(outcome.message);
      const { usage } = outcome;
      if (noUsage !== undefined) {
        expect(usage).toBeNull();
        return;
      }
      expect(Object.keys(usage ?? {}).sort()).toEqual([
        "completionTokens",
        "costUsd",
        "promptTokens",
        "totalTokens",
      ]);
      for (const [member, count] of Object.entries(usage ?? {})) {
        if (count === null) continue;
        expect(count, member).toBeGreaterThanOrEqual(0);
        if (member !== "costUsd") expect(Number.isInteger(count), member).toBe(true);
      }
    });

    test("many calls at once all get their reply", async () => {
      await using subject = await saying("yes");

      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => subject.model.call(request, patience())),
      );

      expect(outcomes.map((outcome) => outcome.status === "answered" && outcome.text)).toEqual(
        Array(8).fill("yes"),
      );
    });

    test("a provider that fails is a value with a fault and a message, never a throw", async () => {
      await using subject = await failing();

      expect(await subject.model.call(request, patience())).toMatchObject({
        status: "failed",
        fault: expect.stringMatching(/^[a-z-]+$/),
        message: expect.stringMatching(/./),
        latencyMs: expect.any(Number),
      });
    });

    test("a call that was interrupted before it began throws the reason", async () => {
      await using subject = await saying("too late");
      const reason = new Error("the user wants to stop");

      await expect(subject.model.call(request, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    if (silent !== undefined) {
      test("an interruption ends a call, which throws the reason", async () => {
        await using subject = await silent();
        const interruption = new AbortController();
        const reason = new Error("the user wants to stop");

        const call = subject.model.call(request, { signal: interruption.signal });
        setImmediate(() => interruption.abort(reason));

        await expect(call).rejects.toBe(reason);
      });
    }

    test("it has a name, and an identity that JSON can say", async () => {
      await using subject = await saying("hello");
      const { id, identity } = subject.model;

      expect(id).not.toBe("");
      expect(JSON.parse(JSON.stringify(identity))).toEqual(identity);
    });
  });
}
