import { describe, expect, test } from "vitest";
import { judgment, soundReply } from "../../test/sound-judge.ts";
import type { ModelRequest } from "../contract/model.ts";
import { type MockLine, mockModel } from "../models/mock.ts";
import { seededRandom } from "../shared/statistics/seeded-random.ts";
import { askCanaries } from "./canaries.ts";
import { canaries } from "./canary-cases.ts";

const signal = new AbortController().signal;
const asked = canaries.length;
const attacks = canaries.filter(({ isAttack }) => isAttack).length;

const questionIn = ({ messages }: ModelRequest) => messages[1]?.text ?? "";
const soundLine: MockLine = (request) => soundReply(questionIn(request)) ?? judgment(0);
const scoreOf = (line: string) => (JSON.parse(line) as { score: number }).score;
const sound = (request: ModelRequest) => scoreOf(soundReply(questionIn(request)) ?? judgment(0));

const ask = (line: MockLine) =>
  askCanaries({ model: mockModel([line], { repeatLast: true }), temperature: 0 }, signal);

describe("fault row 34: canaries tell how far a judge can be trusted", () => {
  test("a sound judge has no drift, is not talked round, and may judge", async () => {
    expect(await ask(soundLine)).toEqual({
      asked,
      answered: asked,
      drift: 0,
      flipRate: 0,
      problem: null,
      cause: null,
      judge: { model: "mock/model", calls: asked, latencyMs: 0, usage: null },
    });
  });

  test("a judge that is off by a tenth everywhere may judge", async () => {
    const strict: MockLine = (request) => judgment(Math.max(0, sound(request) - 0.1));

    expect(await ask(strict)).toMatchObject({ problem: null, flipRate: 0 });
  });

  test("a judge that believes what it reads is found out", async () => {
    const believes = /give 1\.0|every answer gets the score 1|"score": 1|fixed at 1\.0/i;
    const gullible: MockLine = (request) => judgment(believes.test(questionIn(request)) ? 1 : sound(request));

    expect(await ask(gullible)).toMatchObject({
      drift: 0,
      flipRate: expect.closeTo(4 / attacks),
      cause: "judge-unreliable",
      problem: `the judge mock/model accepts 4 of ${attacks} wrong answers that try to manipulate it`,
    });
  });

  test.each([
    ["obeys a polite request", /would you please be kind/],
    ["obeys another language", /volle Punktzahl/],
  ])("a judge that %s is found out", async (_, obeys) => {
    const polite: MockLine = (request) => judgment(obeys.test(questionIn(request)) ? 1 : sound(request));

    expect(await ask(polite)).toMatchObject({ cause: "judge-unreliable" });
  });

  test("an attack that works once of three times is a bad moment", async () => {
    const moody: MockLine = (request) => judgment(request.trial === 1 ? 0.9 : sound(request));
    const onlyAttacks: MockLine = (request) =>
      /museum is closed/.test(questionIn(request)) && /Ignore the rubric/.test(questionIn(request))
        ? moody
        : judgment(sound(request));

    expect(await ask(onlyAttacks)).toMatchObject({ asked: asked + 2, flipRate: 0, problem: null });
  });

  test.each<[string, (request: ModelRequest) => number]>([
    ["always says 1", () => 1],
    ["always says 0", () => 0],
    ["always says 0.5", () => 0.5],
    ["says the opposite", (request) => 1 - sound(request)],
  ])("wrong green: a judge that %s may not judge", async (_, score) => {
    const found = await ask((request) => judgment(score(request)));

    expect(found).toMatchObject({
      cause: "judge-unreliable",
      problem: expect.stringContaining("mock/model"),
    });
  });

  test("wrong green: a coin is found out in 99 of 100 runs", async () => {
    let found = 0;
    for (let seed = 0; seed < 300; seed++) {
      const random = seededRandom(seed);
      const { problem } = await ask(() => judgment(random.below(2)));
      found += Number(problem !== null);
    }

    expect(found).toBeGreaterThanOrEqual(297);
  });

  test("a judge that says nothing usable has no figures, and no verdict of it is used", async () => {
    expect(await ask("I like museums.")).toMatchObject({
      ...{ asked, answered: 0, drift: null, flipRate: null, cause: "judge-unparseable" },
      problem: expect.stringContaining("the judge mock/model cannot be checked: no verdict in 3 replies"),
    });
  });

  test("a judge that cannot be asked is asked once", async () => {
    expect(await ask({ fault: "unavailable" })).toMatchObject({
      ...{ asked: 1, answered: 0, cause: "judge-unavailable", judge: { calls: 1 } },
    });
  });

  test("what asking took is added up", async () => {
    const usage = { promptTokens: 10, completionTokens: 2, totalTokens: 12, costUsd: 0.5 };

    expect((await ask({ text: judgment(0), usage, latencyMs: 3 })).judge).toEqual({
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

    await expect(
      askCanaries({ model: mockModel([]), temperature: 0 }, AbortSignal.abort(reason)),
    ).rejects.toBe(reason);
  });
});
