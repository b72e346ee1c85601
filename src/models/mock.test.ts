import { expect, test } from "vitest";
import { mockModel } from "./mock.ts";

const question = { messages: [{ role: "user" as const, text: "well?" }], temperature: 0 };
const call = { signal: new AbortController().signal };

test("a script is said line by line, and the requests are kept", async () => {
  const model = mockModel([
    "one",
    { text: "two", finishReason: "length" },
    { fault: "rate-limited", retryAfterMs: 5 },
    ({ messages }) => `you said ${messages[0]?.text}`,
  ]);

  const outcomes = [];
  for (let n = 0; n < 4; n++) outcomes.push(await model.call(question, call));

  expect(outcomes).toMatchObject([
    { status: "answered", text: "one", finishReason: "stop", usage: null },
    { status: "answered", text: "two", finishReason: "length" },
    { status: "failed", fault: "rate-limited", retryAfterMs: 5 },
    { status: "answered", text: "you said well?" },
  ]);
  expect(model.requests).toEqual(Array(4).fill(question));
});

test("a script that is over fails loudly", async () => {
  const model = mockModel(["only one"]);
  await model.call(question, call);

  await expect(model.call(question, call)).rejects.toThrow("has 1 lines, and this is call 2");
});
