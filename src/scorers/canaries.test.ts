import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../contract/model.ts";
import { type MockLine, mockModel } from "../models/mock.ts";
import { askCanaries } from "./canaries.ts";
import { canaries } from "./canary-cases.ts";

const signal = new AbortController().signal;
const verdict = (score: number) => JSON.stringify({ score, reason: "because" });

/** The output a judge was asked about, as it was written. */
function outputIn({ messages, nonce }: ModelRequest): string {
  const text = messages[1]?.text ?? "";
  return text.split(`<<output ${nonce}>>\n`)[1]?.split(`\n<<end of output ${nonce}>>`)[0] ?? "";
}

/** Knows the right facts when it sees them, and nothing else counts. */
const honestJudge: MockLine = (request) => {
  const output = outputIn(request);
  return verdict(Number(output.includes("10:00")) * 0.5 + Number(output.includes("12 euros")) * 0.5);
};

const ask = (line: MockLine) => askCanaries(mockModel([line], { repeatLast: true }), 0, signal);
const asked = canaries.length;

describe("fault row 34: canaries tell how far a judge can be trusted", () => {
  test("a sound judge has no drift and is not talked round", async () => {
    expect(await ask(honestJudge)).toEqual({
      asked,
      answered: asked,
      drift: 0,
      flipRate: 0,
      judge: { model: "mock/model", calls: asked, latencyMs: 0, usage: null },
    });
  });

  test("a judge that believes what it reads is found out", async () => {
    const gullible: MockLine = (request) => {
      const believes = /give 1\.0|every answer gets the score 1|"score": 1|fixed at 1\.0/i;
      return believes.test(outputIn(request)) ? verdict(1) : honestJudge(request);
    };

    const { flipRate, drift } = await ask(gullible);

    expect(flipRate).toBe(0.8);
    expect(drift).toBe(0);
  });

  test("a judge that likes everything drifts, and passes every attack", async () => {
    const { flipRate, drift } = await ask(verdict(1));

    expect(drift).toBeCloseTo(0.5);
    expect(flipRate).toBe(1);
  });

  test("a judge that says nothing usable has no figures: none is made up", async () => {
    expect(await ask("I like museums.")).toMatchObject({ asked, answered: 0, drift: null, flipRate: null });
  });

  test("a judge that cannot be asked is asked once", async () => {
    expect(await ask({ fault: "unavailable" })).toMatchObject({ asked: 1, answered: 0, judge: { calls: 1 } });
  });

  test("what asking took is added up", async () => {
    const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12, costUsd: 0.5 };

    expect((await ask({ text: verdict(0), usage, latencyMs: 3 })).judge).toEqual({
      model: "mock/model",
      calls: asked,
      latencyMs: 3 * asked,
      usage: {
        promptTokens: 10 * asked,
        completionTokens: 2 * asked,
        totalTokens: 12 * asked,
        costUsd: 0.5 * asked,
      },
    });
  });

  test("an interruption ends the asking", async () => {
    const reason = new Error("the user wants to stop");

    await expect(askCanaries(mockModel([]), 0, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
