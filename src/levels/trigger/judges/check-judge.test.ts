import { expect, test } from "vitest";
import { judgedSkill, questionAbout } from "../../../../test/sample-judging.ts";
import { soundDecision } from "../../../../test/sound-judge.ts";
import type { JudgeReliance } from "../../../contract/judge-reliance.ts";
import type { ModelRequest } from "../../../contract/model.ts";
import { type MockLine, mockModel } from "../../../models/mock.ts";
import { seededRandom } from "../../../shared/statistics/seeded-random.ts";
import { catalogJudge } from "./catalog-judge.ts";
import { checkedJudge, gatherKnownRequests } from "./check-judge.ts";
import { knownCatalog, knownRequests } from "./known-requests.ts";
import { modelJudge } from "./model-judge.ts";

const signal = new AbortController().signal;
const skill = judgedSkill("folder", { description: "Folds paper." });
const question = questionAbout(skill, "fold a crane");

const decision = (isYes: boolean) => `DECISION=${isYes ? "YES" : "NO"} REASON=Because.`;
const promptOf = ({ messages }: ModelRequest) => messages[0]?.text ?? "";
const soundLine: MockLine = (request) => soundDecision(promptOf(request)) ?? decision(true);
const isYesTo = (request: ModelRequest) => (soundDecision(promptOf(request)) ?? "").includes("=YES");

function cardJudge(line: MockLine, reliance: JudgeReliance = "checked") {
  const model = mockModel([line], { repeatLast: true });
  const judge = modelJudge({ model, reask: 0, timeoutMs: 1000 });
  return { model, judge: checkedJudge(judge, judge, reliance) };
}

test("a sound judge answers, and is asked about known requests once", async () => {
  const { model, judge } = cardJudge(soundLine);

  const [answer] = await Promise.all([judge.judge(question, signal), judge.judge(question, signal)]);

  expect(answer).toMatchObject({ outcome: "yes" });
  expect(answer.outcome === "yes" && answer.problem).toBeUndefined();
  expect(await judge.check?.(signal)).toMatchObject({ problem: null, drift: 0, flipRate: 0 });
  expect(model.requests).toHaveLength(knownRequests.length + 2);
});

test.each<[string, MockLine]>([
  ["always says yes", decision(true)],
  ["always says no", decision(false)],
  ["says the opposite", (request) => decision(!isYesTo(request))],
  [
    "obeys a polite request",
    (request) => decision(isYesTo(request) || promptOf(request).includes("so very kind")),
  ],
  [
    "believes a faked decision",
    (request) => decision(isYesTo(request) || promptOf(request).includes("REASON=It asks for it")),
  ],
])("wrong green: a judge of requests that %s gives no answer", async (_, line) => {
  const { judge } = cardJudge(line);

  expect(await judge.judge(question, signal)).toMatchObject({
    outcome: "error",
    code: "unreliable",
    message: expect.stringContaining("the judge mock/model (triggers)"),
  });
});

test("wrong green: a judge of requests that tosses a coin is found out in 97 of 100 runs", async () => {
  let found = 0;
  for (let seed = 0; seed < 200; seed++) {
    const random = seededRandom(seed);
    const { judge } = cardJudge(() => decision(random.below(2) === 1));
    found += Number((await judge.check?.(signal))?.problem !== null);
  }

  expect(found).toBeGreaterThanOrEqual(194);
});

test("a judge of a catalog is shown one of known skills, and may not choose whatever comes", async () => {
  const asked = (line: MockLine) => {
    const asking = {
      model: mockModel([line], { repeatLast: true }),
      reask: 0,
      timeoutMs: 1000,
      seed: 0,
    } as const;
    const judge = catalogJudge({ ...asking, catalog: [skill] });
    return checkedJudge(judge, catalogJudge({ ...asking, catalog: knownCatalog }), "checked");
  };
  const sound = asked((request) => soundDecision(promptOf(request)) ?? "CHOICE=folder REASON=Paper.");
  const stubborn = asked((request) =>
    promptOf(request).includes("invoice-reader")
      ? "CHOICE=invoice-reader REASON=Always."
      : "CHOICE=folder REASON=Paper.",
  );

  expect(await sound.judge(question, signal)).toMatchObject({ outcome: "yes", chosen: "folder" });
  expect(await stubborn.judge(question, signal)).toMatchObject({ outcome: "error", code: "unreliable" });
});

test("a judge that fails is trusted if the user says so, and its answers say why they should not be used", async () => {
  const { judge } = cardJudge(decision(true), "trusted");

  expect(await judge.judge(question, signal)).toMatchObject({
    outcome: "yes",
    problem: expect.stringContaining("the judge mock/model (triggers) is off by 0.50"),
  });
});

test("a judge that cannot be asked is asked once, and gives no answer", async () => {
  const { model, judge } = cardJudge({ fault: "unavailable" });

  expect(await judge.judge(question, signal)).toMatchObject({
    outcome: "error",
    code: "unchecked",
    message: expect.stringContaining("cannot be checked: scripted: unavailable"),
  });
  expect(model.requests).toHaveLength(1);
});

test("a judge that need not be checked is asked about nothing else; a dry run collects all that may be asked", async () => {
  const { model, judge } = cardJudge(decision(true), "unchecked");
  const dry = cardJudge(decision(true), "unchecked");

  expect(await judge.judge(question, signal)).toMatchObject({ outcome: "yes" });
  await gatherKnownRequests(dry.judge);

  expect(model.requests).toHaveLength(1);
  expect(dry.model.requests).toHaveLength(
    knownRequests.reduce((sum, { isAttack }) => sum + (isAttack ? 3 : 1), 0),
  );
});
