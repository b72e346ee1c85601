import { describe, expect, test } from "vitest";
import type { Adapter, CallLimits } from "../contract/outcome.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";

/** The adapters under test. Each call opens a fresh one, which the test disposes of. */
export interface AdapterSubjects {
  /** Answers with its input. */
  echo: () => Promise<Adapter>;
  /** Fails at every call. */
  broken: () => Promise<Adapter>;
  /** Never answers. */
  slow: () => Promise<Adapter>;
  /** How many processes or connections of the adapters are still open; the test waits until there are none. */
  leftovers: () => number;
  /** Why only objects can be an input, if so: other values are then wrapped in an object. */
  onlyObjects?: string;
  /** The longest text that can come back and why, if half a million characters are too many. */
  longestText?: { chars: number; why: string };
}

/** Timers count whole milliseconds, and may fire slightly early by a finer clock. */
const timerSlackMs = 2;

/** What every adapter must do. Run it over yours: `adapterContract("mine", { echo, broken, slow, leftovers })`. */
export function adapterContract(
  name: string,
  { echo, broken, slow, leftovers, onlyObjects, longestText }: AdapterSubjects,
): void {
  const fit = (input: Json): Json => (onlyObjects === undefined ? input : { inside: input });
  const patience: CallLimits = { deadlineMs: 20_000, signal: new AbortController().signal };

  describe(`the adapter contract: ${name}${onlyObjects === undefined ? "" : ` (${onlyObjects})`}`, () => {
    const values: [string, Json][] = [
      ["null", null],
      ["false", false],
      ["zero", 0],
      ["a fraction", -1.5e-7],
      ["an empty text", ""],
      ["text with quotes, line breaks and controls", 'a "b"\n\r\t\u0000\u2028'],
      ["text beyond ASCII", "über 東京 👩‍👩‍👧 \u202e"],
      ["an empty list", []],
      ["lists and objects within each other", { a: [1, { b: [null, "c"] }], "": { "d e": true } }],
      ["an object with the keys of a prototype", JSON.parse('{"__proto__":{"x":1},"constructor":2}')],
    ];
    for (const [what, value] of values) {
      test(`${what} comes back as it went in`, async () => {
        await using adapter = await echo();
        const input = fit(value);

        const outcome = await adapter.call(input, patience);

        expect(outcome).toMatchObject({ status: "answered" });
        expect((outcome as { output: Json }).output).toStrictEqual(input);
      });
    }

    test(`a large input comes back whole${longestText === undefined ? "" : ` (${longestText.why})`}`, async () => {
      await using adapter = await echo();
      const text = "ä".repeat(longestText?.chars ?? 500_000);

      const outcome = await adapter.call(fit(text), patience);

      expect(outcome.status).toBe("answered");
      const { output } = outcome as { output: Json };
      expect((onlyObjects === undefined ? output : (output as JsonObject).inside) === text).toBe(true);
    });

    test("an answer says how long it took, and that is not more than the caller waited", async () => {
      await using adapter = await echo();

      const began = performance.now();
      const outcome = await adapter.call(fit("how long?"), patience);

      expect(outcome.latencyMs).toBeGreaterThan(0);
      expect(outcome.latencyMs).toBeLessThanOrEqual(performance.now() - began);
    });

    test("calls at once do not mix up their answers", async () => {
      await using adapter = await echo();
      const numbers = Array.from({ length: 8 }, (_, number) => number);

      const outcomes = await Promise.all(numbers.map((number) => adapter.call({ number }, patience)));

      expect(outcomes.map((outcome) => (outcome as { output: Json }).output)).toEqual(
        numbers.map((number) => ({ number })),
      );
    });

    test("calls one after the other do not mix up their answers", async () => {
      await using adapter = await echo();
      for (const word of ["one", "two", "three"]) {
        const output = fit(word);
        expect(await adapter.call(output, patience)).toMatchObject({ status: "answered", output });
      }
    });

    test("a broken skill is a value with a cause and a message, never a throw", async () => {
      await using adapter = await broken();

      const outcome = await adapter.call(fit("anybody there?"), patience);

      expect(outcome).toMatchObject({
        status: "failed",
        cause: expect.stringMatching(/^[a-z-]+$/),
        message: expect.stringMatching(/./),
      });
    });

    test("a broken skill stays callable, and stays broken", async () => {
      await using adapter = await broken();
      for (let round = 0; round < 3; round++) {
        expect((await adapter.call(fit(round), patience)).status).toBe("failed");
      }
    });

    test("the deadline ends a call, and the latency is the deadline or what was waited beyond it", async () => {
      await using adapter = await slow();
      const deadlineMs = 300;

      const began = performance.now();
      const outcome = await adapter.call(fit("hello?"), { ...patience, deadlineMs });
      const tookMs = performance.now() - began;

      expect(outcome.status).toBe("timed-out");
      expect(outcome.latencyMs).toBeGreaterThan(deadlineMs - timerSlackMs);
      expect(outcome.latencyMs).toBeLessThanOrEqual(Math.max(deadlineMs, tookMs));
      expect(tookMs).toBeGreaterThan(deadlineMs - timerSlackMs);
    });

    test("a deadline beyond what a timer can hold does not fire at once", async () => {
      await using adapter = await echo();

      const output = fit("in a month");

      const outcome = await adapter.call(output, { ...patience, deadlineMs: 2 ** 31 + 5 });

      expect(outcome).toMatchObject({ status: "answered", output });
    });

    test("after a deadline nothing is left", async () => {
      {
        await using adapter = await slow();
        await adapter.call(fit("hello?"), { ...patience, deadlineMs: 100 });
      }

      await expect.poll(leftovers, { timeout: 10_000 }).toBe(0);
    });

    test("an interruption makes the call throw its reason, long before the deadline, and nothing is left", async () => {
      const interruption = new AbortController();
      const reason = new Error("the user wants to stop");
      {
        await using adapter = await slow();
        const call = adapter.call(fit("hello?"), { ...patience, signal: interruption.signal });
        call.catch(() => {});
        await expect.poll(leftovers, { timeout: 10_000 }).toBeGreaterThan(0);

        const began = performance.now();
        interruption.abort(reason);

        await expect(call).rejects.toBe(reason);
        expect(performance.now() - began).toBeLessThan(patience.deadlineMs / 2);
      }
      await expect.poll(leftovers, { timeout: 10_000 }).toBe(0);
    });

    test("a call that was interrupted before it began throws the reason and starts nothing", async () => {
      await using adapter = await echo();
      const reason = new Error("too late");

      const call = adapter.call(fit(1), { ...patience, signal: AbortSignal.abort(reason) });

      await expect(call).rejects.toBe(reason);
      expect(leftovers()).toBe(0);
    });

    test("an interruption after the answer changes nothing", async () => {
      await using adapter = await echo();
      const interruption = new AbortController();

      const outcome = await adapter.call(fit("done"), { ...patience, signal: interruption.signal });
      interruption.abort(new Error("too late"));

      expect(outcome).toMatchObject({ status: "answered", output: fit("done") });
      const output = fit("next");
      expect(await adapter.call(output, patience)).toMatchObject({ status: "answered", output });
    });

    test("disposing of it leaves nothing behind, and may be done twice", async () => {
      const adapter = await echo();
      await Promise.all([1, 2, 3].map((number) => adapter.call(fit(number), patience)));

      await adapter[Symbol.asyncDispose]();
      await adapter[Symbol.asyncDispose]();

      await expect.poll(leftovers, { timeout: 10_000 }).toBe(0);
    });

    test("one that was never called can be disposed of", async () => {
      const adapter = await slow();

      await adapter[Symbol.asyncDispose]();

      expect(leftovers()).toBe(0);
    });
  });
}
