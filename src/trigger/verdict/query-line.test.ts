import { expect, test } from "vitest";
import type { Json } from "../../contract/json.ts";
import { QueryLine } from "../../contract/trigger-report.ts";
import {
  logLine,
  type QueryFacts,
  type QueryResult,
  queryLine,
  querySummary,
  skipLine,
} from "./query-line.ts";
import { sampleJudgments, sampleLine, sampleTriggerQuery } from "./sample-judgments.ts";
import { triggerScorer } from "./trigger-scorer.ts";

const facts: QueryFacts = {
  skillId: "refactor",
  skillDigest: "sha256:d",
  query: { ...sampleTriggerQuery("should_match", "9f31c2d07a4e"), tags: ["near-miss"] },
  judge: { kind: "model", model: "m", prompt: "trigger-card/1" },
  repeats: 8,
  seed: 0,
  cardSha256: "c",
  catalogSha256: "k",
};
const passed: QueryResult = {
  status: "pass",
  output: sampleJudgments("YYYYYYYY") as Json,
  reason: "It fits.",
  error: null,
  finishedAt: "2026-03-01T07:24:31.007Z",
};

test("a line of the log is the one of the reference, in its order, with what else is known after the flips", () => {
  const line = logLine(queryLine(facts, passed));
  const { belongsTo, tags, unreplicated, reason, ...asInReference } = line;

  expect(Object.keys(asInReference)).toEqual(
    "kind skillId queryId query side verdict cause repeats yes no invalid error rate interval flips judge judgments seed skillDigest cardSha256 catalogSha256 ts".split(
      " ",
    ),
  );
  expect(asInReference).toMatchObject({
    kind: "trigger",
    queryId: "9f31c2d07a4e",
    verdict: "pass",
    cause: null,
    repeats: 8,
    yes: 8,
    rate: 1,
    interval: [0.676, 1],
    flips: false,
  });
  expect({ belongsTo, tags, unreplicated, reason }).toEqual({
    belongsTo: null,
    tags: ["near-miss"],
    unreplicated: false,
    reason: "It fits.",
  });
  expect(QueryLine.parse(queryLine(facts, passed))).toEqual(queryLine(facts, passed));
});

test("a summary is a line without its judgments and its whereabouts", () => {
  const line = queryLine(facts, passed);
  const summary = querySummary(line);

  expect(summary).not.toHaveProperty("judgments");
  expect(line).toMatchObject(summary);
  expect(Object.keys(line).length - Object.keys(summary).length).toBe(8);
});

test("the verdict is the stored one, not decided again", () => {
  const uncalibrated = { code: "uncalibrated", message: "would pass, but …" } as const;

  const line = queryLine(facts, { ...passed, status: "invalid", reason: null, error: uncalibrated });

  expect(line).toMatchObject({
    verdict: "invalid",
    cause: "uncalibrated",
    yes: 8,
    reason: "would pass, but …",
  });
});

test.each([
  ["timeout", "deadline"],
  ["error", "crash"],
  ["invalid", "contaminated"],
] as const)("a cell that ended with %s has no answers and is the judge's error", (status, code) => {
  const line = queryLine(facts, {
    ...passed,
    status,
    output: null,
    reason: null,
    error: { code, message: "m" },
  });

  expect(line).toMatchObject({
    verdict: "invalid",
    cause: "judge-error",
    yes: 0,
    error: 8,
    rate: null,
    interval: null,
    judgments: [],
    reason: "m",
  });
});

test("judgments that cannot be read are nobody's answers", () => {
  expect(() => queryLine(facts, { ...passed, output: '[{"repeat":0,"outc' })).toThrow(
    "9f31c2d07a4e of refactor",
  );
});

test("rates and bounds are rounded for the record", () => {
  expect(sampleLine(sampleTriggerQuery("should_match", "q"), sampleJudgments("YYYYYYN"))).toMatchObject({
    rate: 0.8571,
    interval: [0.487, 0.974],
  });
});

test("a skip has no verdict, and its reason", () => {
  const skip = { skillId: "s", reason: "no-block", seed: 0, skillDigest: "sha256:d", ts: "t" } as const;

  expect(skipLine(skip)).toEqual({
    kind: "trigger",
    skillId: "s",
    verdict: null,
    skipped: "no-block",
    seed: 0,
    skillDigest: "sha256:d",
    ts: "t",
  });
});

test("the scorer scores judgments 1, 0 or not at all, with the cause", () => {
  const scorer = triggerScorer({ side: "should_match", repeats: 4, threshold: 0.5, agreement: null });
  const score = (answers: string) => scorer.score({ output: sampleJudgments(answers) as Json });

  expect(score("YYYY")).toEqual({ score: 1, passed: true, reason: "It fits." });
  expect(score("NNNN")).toEqual({ score: 0, passed: false, reason: "It does not." });
  expect(score("YYNN")).toMatchObject({ score: null, cause: "undecided" });
  expect(score("????")).toMatchObject({ score: null, cause: "no-verdict" });
  expect(() => scorer.score({ output: "YYYY" })).toThrow();
});

test("whatever changes verdicts is part of the scorer's identity", () => {
  const asked = { side: "should_match", repeats: 4, threshold: 0.5, agreement: null } as const;
  const identity = (given: object) => JSON.stringify(triggerScorer({ ...asked, ...given }).identity);
  const changes = [
    { side: "should_not_match" },
    { repeats: 5 },
    { threshold: 0.6 },
    { agreement: { kappa: 0.5, minKappa: 0.6 } },
  ];

  expect(new Set([identity({}), ...changes.map(identity)]).size).toBe(5);
  expect(identity({ agreement: { kappa: 0.7, minKappa: 0.6 } })).toBe(identity({}));
});
