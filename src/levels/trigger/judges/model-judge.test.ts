import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { judgedSkill, questionAbout } from "../../../../test/sample-judging.ts";
import type { ModelFault } from "../../../contract/model.ts";
import { type MockLine, mockModel } from "../../../models/mock.ts";
import { cardPrompt, modelJudge } from "./model-judge.ts";

const { signal } = new AbortController();
const question = questionAbout(judgedSkill("refactor"), "refactor it", 3);
const usage = { promptTokens: 300, completionTokens: 20, totalTokens: 320, costUsd: 0.5 };

function ask(lines: MockLine[], reask: 0 | 1 | 2 = 0) {
  const model = mockModel(lines);
  return { model, answer: modelJudge({ model, reask, timeoutMs: 1234 }).judge(question, signal) };
}

test("a verdict comes with its reason, the hash of the reply and what it took", async () => {
  const text = "DECISION=YES REASON=It asks for that.\n";
  const { model, answer } = ask([{ text, usage, latencyMs: 412.3456 }]);

  expect(await answer).toEqual({
    outcome: "yes",
    reason: "It asks for that.",
    rawSha256: hash("sha256", text, "hex"),
    ms: 412.346,
    tokensIn: 300,
    tokensOut: 20,
    usd: 0.5,
    cached: false,
  });
  expect(model.requests).toEqual([
    {
      messages: [{ role: "user", text: cardPrompt(question) }],
      temperature: 0,
      maxOutputTokens: 120,
      trial: 3,
      ordinal: 1,
      timeoutMs: 1234,
    },
  ]);
});

test("a reply that is not a verdict is invalid, with its beginning and what it may have meant", async () => {
  const text = `Yes. ${"👩".repeat(600)}`;

  const answer = await ask([{ text, finishReason: "length" }]).answer;

  expect(answer).toMatchObject({
    outcome: "invalid",
    why: expect.stringContaining("cut off at 120 tokens"),
    raw: `Yes. ${"👩".repeat(495)}`,
    rawSha256: hash("sha256", text, "hex"),
    lenientDecision: "yes",
    tokensIn: null,
    usd: null,
  });
  expect(answer).not.toHaveProperty("reason");
});

test("a verdict that ends at the limit of tokens is read as any other", async () => {
  expect(await ask([{ text: "DECISION=NO REASON=It wants", finishReason: "length" }]).answer).toMatchObject({
    outcome: "no",
    reason: "It wants",
  });
});

test("an unusable reply is asked for again unchanged, as often as is allowed, and every one is kept", async () => {
  const lines = [
    { text: "Yes!", usage },
    { text: "", usage },
    { text: "DECISION=NO REASON=x", usage },
  ];
  const { model, answer } = ask(lines, 2);

  expect(await answer).toMatchObject({
    outcome: "no",
    tokensIn: 900,
    tokensOut: 60,
    usd: 1.5,
    reasked: [
      { raw: "Yes!", lenientDecision: "yes" },
      { raw: "", why: "the reply is empty", lenientDecision: null },
    ],
  });
  expect(model.requests.map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
  expect(new Set(model.requests.map(({ messages }) => messages[0]?.text)).size).toBe(1);
  expect(await ask(["Yes!", "No!", "Eh?"], 1).answer).toMatchObject({
    outcome: "invalid",
    raw: "No!",
    lenientDecision: "no",
    reasked: [{ raw: "Yes!" }],
  });
});

test("a model that fails when asked again leaves an error, with the reply before it kept", async () => {
  expect(await ask([{ text: "Yes!", usage }, { fault: "timeout" }], 1).answer).toMatchObject({
    outcome: "error",
    code: "timeout",
    tokensIn: null,
    usd: null,
    reasked: [{ raw: "Yes!" }],
  });
});

test("what came from the store says so, and costs nothing beside what did not", async () => {
  const cachedReply = { usage, isCached: true, latencyMs: 7 };
  const verdict = { text: "DECISION=NO REASON=x", usage, latencyMs: 5 };

  expect(await ask([{ text: "DECISION=NO REASON=x", ...cachedReply }]).answer).toMatchObject({
    cached: true,
    tokensIn: 300,
    ms: 7,
  });
  expect(await ask([{ text: "Yes!", ...cachedReply }, verdict], 1).answer).toMatchObject({
    cached: false,
    tokensIn: 300,
    ms: 5,
  });
});

test.each([
  ["timeout", "timeout"],
  ["rate-limited", "quota"],
  ["unavailable", "transport"],
  ["bad-reply", "transport"],
  ["refused", "refused"],
  ["not-recorded", "not-recorded"],
  ["budget", "budget"],
] as [ModelFault, string][])("%s is the error %s, and is not asked again", async (fault, code) => {
  const { model, answer } = ask([{ fault, message: "as it is" }], 2);

  expect(await answer).toEqual({
    outcome: "error",
    code,
    message: "as it is",
    ms: 0,
    tokensIn: null,
    tokensOut: null,
    usd: null,
    cached: false,
  });
  expect(model.requests).toHaveLength(1);
});

test("what may change answers is its identity: model, prompt, parameters, asking again", () => {
  const identityOf = (id: string, reask: 0 | 1) =>
    JSON.stringify(modelJudge({ model: mockModel([], { id }), reask, timeoutMs: 1 }).identity);

  expect(identityOf("a/b", 0)).toBe(identityOf("a/b", 0));
  expect(new Set([identityOf("a/b", 0), identityOf("a/c", 0), identityOf("a/b", 1)]).size).toBe(3);
  expect(identityOf("a/b", 0)).toContain("trigger-card/1");
});
