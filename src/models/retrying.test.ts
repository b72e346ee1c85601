import { expect, test } from "vitest";
import type { Clock } from "../shared/async/clock.ts";
import { type MockLine, mockModel } from "./mock.ts";
import { retrying } from "./retrying.ts";

const question = { messages: [{ role: "user" as const, text: "well?" }], temperature: 0 };
const signal = new AbortController().signal;

/** A clock that does not wait, and remembers how long it should have. */
function impatientClock() {
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async (durationMs) => void pauses.push(durationMs),
  };
  return { clock, pauses };
}

async function askPatiently(lines: readonly MockLine[], retries: number, random = 1) {
  const { clock, pauses } = impatientClock();
  const model = mockModel(lines);
  const outcome = await retrying(model, { retries, clock, random: () => random }).call(question, { signal });
  return { outcome, pauses, calls: model.requests.length };
}

test("a provider's bad moment is waited out, longer each time and at most 8 seconds", async () => {
  const moments: MockLine[] = ["timeout", "unavailable", "rate-limited", "timeout", "timeout", "timeout"].map(
    (fault) => ({ fault }) as MockLine,
  );
  const { outcome, pauses } = await askPatiently([...moments, "yes"], 20);

  expect(outcome).toMatchObject({ status: "answered", text: "yes" });
  expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
});

test("the pauses have full jitter: anything from nothing to the whole", async () => {
  const { pauses } = await askPatiently([{ fault: "timeout" }, { fault: "timeout" }, "yes"], 3, 0.25);

  expect(pauses).toEqual([125, 250]);
});

test("the provider's own demand is honoured, up to a minute", async () => {
  const lines: MockLine[] = [
    { fault: "rate-limited", retryAfterMs: 7000 },
    { fault: "rate-limited", retryAfterMs: 60_000 },
    { fault: "rate-limited", retryAfterMs: 0 },
    "yes",
  ];
  expect((await askPatiently(lines, 3)).pauses).toEqual([7000, 60_000, 0]);
});

test.each([60_001, 1e23])(
  "a demand of %d ms ends the tries, and the failure says so",
  async (retryAfterMs) => {
    const { outcome, pauses, calls } = await askPatiently(
      [{ fault: "rate-limited", message: "HTTP 429", retryAfterMs }, "yes"],
      3,
    );

    expect(outcome).toMatchObject({
      fault: "rate-limited",
      message: "HTTP 429; it asks to wait more than 60 s",
    });
    expect({ pauses, calls }).toEqual({ pauses: [], calls: 1 });
  },
);

test("there are as many more tries as were asked for, and the failure says how many there were", async () => {
  const failing: MockLine[] = Array(10).fill({ fault: "unavailable", message: "HTTP 500" });

  const { outcome, calls } = await askPatiently(failing, 3);

  expect(calls).toBe(4);
  expect(outcome).toMatchObject({ fault: "unavailable", message: "HTTP 500 (after 4 tries)" });
  expect((await askPatiently(failing, 0)).calls).toBe(1);
});

test("who is refused for asking too much to the end stays rate-limited", async () => {
  const { outcome } = await askPatiently(Array(5).fill({ fault: "rate-limited", message: "HTTP 429" }), 3);

  expect(outcome).toMatchObject({ fault: "rate-limited", message: "HTTP 429 (after 4 tries)" });
});

test.each(["refused", "bad-reply", "not-recorded", "budget"] as const)(
  "what is %s will not pass, and is not asked again",
  async (fault) => {
    expect((await askPatiently([{ fault }], 3)).outcome).toMatchObject({
      fault,
      message: `scripted: ${fault}`,
    });
  },
);

test("who heard the beginning of a reply is not told another one", async () => {
  const { clock } = impatientClock();
  let calls = 0;
  const breaking = {
    ...mockModel([]),
    async call(_request: unknown, { onText }: { onText?: ((piece: string) => void) | undefined }) {
      calls++;
      onText?.("half of a ");
      return { status: "failed" as const, fault: "unavailable" as const, message: "gone", latencyMs: 0 };
    },
  };

  const model = retrying(breaking, { retries: 3, clock, random: () => 0 });

  expect(await model.call(question, { signal, onText: () => {} })).toMatchObject({ status: "failed" });
  expect(calls).toBe(1);
});

test("an interruption ends the waiting", async () => {
  const reason = new Error("the user wants to stop");
  const clock: Clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.reject(reason) };
  const model = retrying(mockModel([{ fault: "timeout" }]), { retries: 3, clock, random: () => 0 });

  await expect(model.call(question, { signal })).rejects.toBe(reason);
});
