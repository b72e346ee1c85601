import { expect, test } from "vitest";
import type { Model, ModelRequest } from "../contract/model.ts";
import { memoryCache } from "../store/memory-cache.ts";
import { cached } from "./cached.ts";
import { mockModel } from "./mock.ts";

const signal = new AbortController().signal;
const usage = { promptTokens: 9, completionTokens: 2, totalTokens: 11, costUsd: null };
const question: ModelRequest = {
  messages: [
    { role: "system", text: "be brief" },
    { role: "user", text: "well?" },
  ],
  temperature: 0,
  maxOutputTokens: 120,
  trial: 0,
  ordinal: 1,
};

/** Asks one thing after another, each time of a new wrapper around the same model, as in another run. */
async function ask(model: Model, requests: readonly ModelRequest[], redact = (text: string) => text) {
  const replies = memoryCache();
  const texts: unknown[] = [];
  for (const request of requests) {
    const outcome = await cached(model, { replies, isRead: true, redact }).call(request, { signal });
    texts.push(outcome.status === "answered" ? [outcome.text, outcome.isCached ?? false] : outcome.fault);
  }
  return texts;
}

test("the same question is asked once, and the second answer says that it was kept", async () => {
  const replies = memoryCache();
  const model = mockModel([{ text: "four", usage, latencyMs: 412 }]);
  const options = { replies, isRead: true, redact: (text: string) => text };
  await cached(model, options).call(question, { signal });
  const received: string[] = [];

  const again = await cached(model, options).call(question, {
    signal,
    onText: (piece) => received.push(piece),
  });

  expect(again).toEqual({
    status: "answered",
    text: "four",
    finishReason: "stop",
    usage,
    latencyMs: 412,
    isCached: true,
  });
  expect(received.join("")).toBe("four");
  expect(model.requests).toHaveLength(1);
});

test.each<[string, Partial<ModelRequest>]>([
  ["other words", { messages: [{ role: "user", text: "well?" }] }],
  ["another speaker", { messages: [{ role: "user", text: "be brief" }, ...question.messages.slice(1)] }],
  ["another temperature", { temperature: 0.5 }],
  ["another longest reply", { maxOutputTokens: 121 }],
  ["a schema", { schema: { type: "object" } }],
  ["another trial", { trial: 1 }],
  ["another ordinal", { ordinal: 2 }],
])("%s makes it another question", async (_name, change) => {
  expect(await ask(mockModel(["one", "two"]), [question, { ...question, ...change }])).toEqual([
    ["one", false],
    ["two", false],
  ]);
});

test("how long one waits makes no difference", async () => {
  const other = { ...question, timeoutMs: 5 };

  expect(await ask(mockModel(["one"]), [question, other])).toEqual([
    ["one", false],
    ["one", true],
  ]);
});

test("another model, or the same at another place, is another question", async () => {
  const replies = memoryCache();
  const options = { replies, isRead: true, redact: (text: string) => text };
  const model = mockModel(["one", "two", "three"]);
  const reported = [];
  for (const identity of [{ provider: "a" }, { provider: "b" }, { provider: "a", baseUrl: "x" }])
    reported.push(await cached({ ...model, identity }, options).call(question, { signal }));

  expect(reported).toMatchObject([{ text: "one" }, { text: "two" }, { text: "three" }]);
});

test("failures are not kept, nor replies to a random word, nor replies that hold a secret", async () => {
  const failing = mockModel([{ fault: "unavailable" }, "two"]);
  const random = { ...question, nonce: "a1b2" };
  const redact = (text: string) => text.replaceAll("sk-123", "[redacted]");

  expect(await ask(failing, [question, question])).toEqual(["unavailable", ["two", false]]);
  expect(await ask(mockModel(["one", "two"]), [random, random])).toEqual([
    ["one", false],
    ["two", false],
  ]);
  expect(await ask(mockModel(["it is sk-123", "two"]), [question, question], redact)).toEqual([
    ["it is sk-123", false],
    ["two", false],
  ]);
});

test("who only writes asks every time, and leaves the newest reply behind", async () => {
  const replies = memoryCache();
  const options = { replies, redact: (text: string) => text };
  const writing = cached(mockModel(["one", "two"]), { ...options, isRead: false });

  expect(await writing.call(question, { signal })).toMatchObject({ text: "one" });
  expect(await writing.call(question, { signal })).toMatchObject({ text: "two" });
  const reading = cached(mockModel([]), { ...options, isRead: true });
  expect(await reading.call(question, { signal })).toMatchObject({ text: "two", isCached: true });
});
