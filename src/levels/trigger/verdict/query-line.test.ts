import { expect, test } from "vitest";
import {
  sampleJudgments,
  sampleLine,
  sampleTriggerQuery,
} from "../../../../test/builders/sample-judgments.ts";
import { QueryLine } from "../../../contract/trigger-report.ts";
import { logLine, type QueryFacts, queryLine, querySummary, skipLine } from "./query-line.ts";

const facts: QueryFacts = {
  skillId: "refactor",
  skillDigest: "sha256:d",
  query: { ...sampleTriggerQuery("should_match", "9f31c2d07a4e"), tags: ["near-miss"] },
  judge: { kind: "model", model: "m", prompt: "trigger-card/1" },
  repeats: 8,
  threshold: 0.5,
  agreement: null,
  seed: 0,
  cardSha256: "c",
  catalogSha256: "k",
};
const ts = "2026-03-01T07:24:31.007Z";
const eightYes = sampleJudgments("YYYYYYYY");

test("a line of the log is the one of the reference, in its order, with what else is known after the flips", () => {
  const line = logLine(queryLine(facts, eightYes, ts));
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
  expect(QueryLine.parse(queryLine(facts, eightYes, ts))).toEqual(queryLine(facts, eightYes, ts));
});

test("a summary is a line without its judgments and its whereabouts", () => {
  const line = queryLine(facts, eightYes, ts);
  const summary = querySummary(line);

  expect(summary).not.toHaveProperty("judgments");
  expect(line).toMatchObject(summary);
  expect(Object.keys(line).length - Object.keys(summary).length).toBe(8);
});

test("a judge that is trusted too little lets nothing pass", () => {
  const line = queryLine({ ...facts, agreement: { kappa: 0.5, minKappa: 0.6 } }, eightYes, ts);

  expect(line).toMatchObject({
    verdict: "invalid",
    cause: "uncalibrated",
    yes: 8,
    reason: expect.stringContaining("would pass, but"),
  });
});

test("a query nobody answered is the judge's error", () => {
  expect(queryLine(facts, [], ts)).toMatchObject({
    verdict: "invalid",
    cause: "judge-error",
    yes: 0,
    error: 8,
    rate: null,
    interval: null,
    judgments: [],
    reason: "8 of 8 questions got no reply",
  });
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
