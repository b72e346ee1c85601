import fc from "fast-check";
import { expect, test } from "vitest";
import type { Model, ModelOutcome, ModelRequest } from "../contract/model.ts";
import { Budget, type Reservation } from "./budget.ts";
import { budgeted } from "./budgeted.ts";
import { estimateCost, maxInputTokens } from "./cost.ts";
import { type MockLine, mockModel } from "./mock.ts";

const signal = new AbortController().signal;
const price = { inputPerMTok: 1000, outputPerMTok: 10_000 };
const question: ModelRequest = {
  messages: [{ role: "user", text: "x".repeat(68) }],
  temperature: 0,
  maxOutputTokens: 100,
};
/** What is set aside for the question: 100 tokens in at the most, 100 out. */
const reservedUsd = 1.1;

const exactly = (usd: number) => ({ usd, isOpenEnded: false });

function used(promptTokens: number | null, completionTokens: number | null, costUsd: number | null = null) {
  return { promptTokens, completionTokens, totalTokens: null, costUsd };
}

test.each<[string, MockLine, number]>([
  ["tokens by the price list", { text: "yes", usage: used(20, 10) }, 0.12],
  ["what the provider says it cost", { text: "yes", usage: used(20, 10, 0.5) }, 0.5],
  ["all that was set aside where nobody says", { text: "yes", usage: null }, reservedUsd],
  ["all that was set aside where only half is said", { text: "yes", usage: used(20, null) }, reservedUsd],
  ["nothing for a call without an answer", { fault: "unavailable" }, 0],
])("a call costs %s", async (_name, line, usd) => {
  const budget = new Budget(10);

  await budgeted(mockModel([line]), { budget, price }).call(question, { signal });

  expect(budget.spentUsd).toBeCloseTo(usd, 9);
  expect(await budget.reserve(exactly(10 - usd), signal)).not.toBeNull();
});

test("a call that may not fit is not made, and says what is missing", async () => {
  const budget = new Budget(1.5);
  const model = mockModel([{ text: "yes", usage: used(100, 40) }]);
  const careful = budgeted(model, { budget, price });

  expect(await careful.call(question, { signal })).toMatchObject({ status: "answered" });
  expect(await careful.call(question, { signal })).toEqual({
    status: "failed",
    fault: "budget",
    message: "this call may cost up to 1.1 USD, and 1 of 1.5 USD are left",
    latencyMs: 0,
  });
  expect(model.requests).toHaveLength(1);
});

/** A model whose calls are answered when the test says so. */
function heldModel() {
  const answers: ((outcome: ModelOutcome) => void)[] = [];
  const model: Model = { ...mockModel([]), call: () => new Promise((resolve) => answers.push(resolve)) };
  const answer = (completionTokens: number) => {
    const usage = used(0, completionTokens);
    answers.shift()?.({ status: "answered", text: "", finishReason: "stop", usage, latencyMs: 0 });
  };
  return { model, answers, answer };
}

const turn = () => new Promise((done) => setImmediate(done));

test("calls that would only together be too much wait for each other, and go on when one was cheap", async () => {
  const { model, answers, answer } = heldModel();
  const careful = budgeted(model, { budget: new Budget(2.5), price });
  const calls = Array.from({ length: 5 }, () => careful.call(question, { signal }));
  const most: number[] = [];
  for (let round = 0; round < 5; round++) {
    await turn();
    most.push(answers.length);
    answer(10);
  }

  const outcomes = await Promise.all(calls);

  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill("answered"));
  expect(Math.max(...most)).toBe(2);
});

test("who waits for money is told no when it is spent, and an interruption ends the waiting", async () => {
  const { model, answer } = heldModel();
  const careful = budgeted(model, { budget: new Budget(1.2), price });
  const interruption = new AbortController();
  const reason = new Error("the user wants to stop");

  const first = careful.call(question, { signal });
  const second = careful.call(question, { signal });
  const third = careful.call(question, { signal: interruption.signal });
  interruption.abort(reason);
  await expect(third).rejects.toBe(reason);
  await turn();
  answer(50);

  expect(await first).toMatchObject({ status: "answered" });
  expect(await second).toMatchObject({ fault: "budget" });
});

test("an interrupted call counts as made", async () => {
  const budget = new Budget(10);
  const interruption = new AbortController();
  const silent = budgeted(mockModel([{ silent: true }]), { budget, price });

  const call = silent.call(question, { signal: interruption.signal });
  setImmediate(() => interruption.abort(new Error("stop")));

  await expect(call).rejects.toThrow("stop");
  expect(budget.spentUsd).toBeCloseTo(reservedUsd, 9);
});

test("a reply without a longest length has all that is left to itself", async () => {
  const { model, answers, answer } = heldModel();
  const budget = new Budget(5);
  const careful = budgeted(model, { budget, price });
  const endless = { ...question, maxOutputTokens: undefined };

  const calls = [careful.call(endless, { signal }), careful.call(endless, { signal })];
  await turn();
  expect(answers).toHaveLength(1);
  answer(10);
  await turn();
  expect(answers).toHaveLength(1);
  answer(1000);
  await Promise.all(calls);

  expect(budget.leftUsd).toBe(0);
  expect(await careful.call(endless, { signal })).toMatchObject({
    fault: "budget",
    message: "this call may cost at least 0.1 USD, and 0 of 5 USD are left",
  });
});

test("what costs nothing is never refused", async () => {
  const free = { budget: new Budget(0), price: { inputPerMTok: 0, outputPerMTok: 0 } };

  expect(await budgeted(mockModel(["yes"]), free).call(question, { signal })).toMatchObject({ text: "yes" });
});

test("three times a tenth fits into three tenths", async () => {
  const budget = new Budget(0.3);
  for (let round = 0; round < 3; round++) (await budget.reserve(exactly(0.1), signal))?.settle(0.1);

  expect(budget.spentUsd).toBeCloseTo(0.3, 9);
  expect(await budget.reserve(exactly(0.0001), signal)).toBeNull();
});

test("whatever calls at once turn out to cost, no more is spent than there was, and nobody waits for ever", async () => {
  const amount = fc.integer({ min: 0, max: 40 }).map((cents) => cents / 100);
  const call = fc.record({
    usd: amount,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    isOpenEnded: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(amount, fc.array(call, { maxLength: 12 }), async (maxUsd, calls) => {
      const budget = new Budget(maxUsd);
      const outcomes: (Reservation | null)[] = await Promise.all(
        calls.map(async ({ usd, share, isOpenEnded }) => {
          const reservation = await budget.reserve({ usd, isOpenEnded }, signal);
          await turn();
          reservation?.settle(reservation.usd * share);
          return reservation;
        }),
      );
      expect(outcomes).toHaveLength(calls.length);
      expect(budget.spentUsd).toBeLessThanOrEqual(maxUsd + 1e-6);
    }),
    { numRuns: 30 },
  );
});

test("an estimate is what a budget sets aside at the most, and unknown where something is", async () => {
  const questions = [question, { ...question, messages: [{ role: "user" as const, text: "two words" }] }];
  const estimate = await estimateCost(questions, price);

  expect(estimate).toMatchObject({ calls: 2, maxOutputTokens: 200 });
  expect(estimate.tokensIn).toBeGreaterThan(4);
  expect(estimate.tokensIn).toBeLessThan(60);
  expect(estimate.usd).toBeCloseTo((estimate.tokensIn * 1000 + 200 * 10_000) / 1e6, 9);
  expect(estimate.maxUsd).toBeCloseTo(reservedUsd + (41 * 1000 + 100 * 10_000) / 1e6, 9);
  expect(await estimateCost(questions, null)).toMatchObject({
    maxOutputTokens: 200,
    usd: null,
    maxUsd: null,
  });
  const endless = [question, { ...question, maxOutputTokens: undefined }];
  expect(await estimateCost(endless, price)).toMatchObject({
    maxOutputTokens: null,
    usd: null,
    maxUsd: null,
  });
  expect(await estimateCost([], price)).toMatchObject({ calls: 0, tokensIn: 0, usd: 0, maxUsd: 0 });
});

test.each([
  "",
  "two words",
  "审阅合同条款",
  "\u{10ffff}\u{1f9d1}\u200d\u{1f680}",
  "\ud800\0\u001b",
  "ﷺ".repeat(9),
  "zqxjkv",
])("no text has more tokens than is reckoned with: %j", async (text) => {
  const request = { ...question, messages: [{ role: "user" as const, text }] };
  const { tokensIn } = await estimateCost([request], null);
  expect(maxInputTokens(request)).toBeGreaterThan(tokensIn);
  expect(maxInputTokens({ ...request, schema: { title: text } })).toBeGreaterThan(2 * tokensIn);
});
