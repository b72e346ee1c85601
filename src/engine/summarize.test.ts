import { expect, test } from "vitest";
import * as z from "zod";
import { sampleSkills, sampleSuite, sampleTasks } from "../../test/sample-suite.ts";
import type { Level, LevelFold, SuiteRun } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import { wilson } from "../shared/statistics/intervals.ts";
import { sampleInterval, sampleResult } from "../store/samples.ts";
import { openSummary } from "./summarize.ts";

const toyLevel: Level = {
  name: "toy",
  nouns: { case: ["case", "cases"], subject: "model" },
  details: z.object({}),
  metrics: [
    { name: "surprises", unit: "count", better: "down" },
    { name: "completionRate", unit: "share", better: "up" },
  ],
};

/** Counts failures, and how often it was called. */
function toyFold(changes: Partial<LevelFold> = {}): LevelFold {
  const failures = new Map<string, number>();
  return {
    add({ skillId, status }) {
      if (status === "fail") failures.set(skillId ?? "", (failures.get(skillId ?? "") ?? 0) + 1);
    },
    figures: async ({ skillId }, suiteId) => ({
      metrics: { surprises: { value: failures.get(skillId ?? "") ?? 0 } },
      details: { of: suiteId },
    }),
    overall: () => ({ surprises: { value: [...failures.values()].reduce((sum, n) => sum + n, 0) } }),
    ...changes,
  };
}

/** Two suites of two levels that test the same two skills by cases of the same names. */
function twoSuites(fold: LevelFold = toyFold()) {
  const facts = { skills: sampleSkills("left", "right"), tasks: sampleTasks(2) };
  return {
    unit: sampleSuite({ ...facts, id: "bench" }),
    toy: sampleSuite({ ...facts, id: "bench", level: toyLevel }, { fold }),
  };
}

function resultsOf(suite: SuiteRun, statuses: Record<string, CellResult["status"][]>): CellResult[] {
  return Object.entries(statuses).flatMap(([skillId, words]) =>
    words.map((status, n) =>
      sampleResult({ level: suite.level.name, suite: suite.id, skillId, caseId: `t${n}`, status }),
    ),
  );
}

test("two suites of two levels are summed up apart, subject by subject", async () => {
  const { unit, toy } = twoSuites();
  const summary = openSummary([unit, toy]);
  const results: [SuiteRun, CellResult][] = [
    ...resultsOf(toy, { right: ["pass", "pass"], left: ["fail", "fail"] }).map(
      (result): [SuiteRun, CellResult] => [toy, result],
    ),
    ...resultsOf(unit, { left: ["pass", "pass"], right: ["fail", "error"] }).map(
      (result): [SuiteRun, CellResult] => [unit, result],
    ),
  ];
  for (const [suite, result] of results.toReversed()) summary.add(suite, result);

  const subjects = await summary.subjects();

  expect(
    subjects.map(({ level, skillId, counts: { pass, fail, error }, metrics }) => [
      ...[level, skillId, pass, fail, error],
      metrics.completionRate?.value,
      metrics.surprises?.value,
    ]),
  ).toEqual([
    ["unit", "left", 2, 0, 0, 1, undefined],
    ["unit", "right", 0, 1, 1, 0, undefined],
    ["toy", "left", 0, 2, 0, 0, 2],
    ["toy", "right", 2, 0, 0, 1, 0],
  ]);
  expect(summary.overall()).toEqual(new Map([["toy", { surprises: { value: 2 } }]]));
});

test("one skill under two models and conditions is as many subjects", async () => {
  const base = sampleSuite({ skills: sampleSkills("left"), tasks: sampleTasks(1), level: toyLevel });
  const [skill] = base.subjects;
  if (skill === undefined) throw new Error("there is one");
  const arms = [
    { model: "small", arm: "installed" },
    { model: "small", arm: "forced" },
  ];
  const suite: SuiteRun = { ...base, subjects: arms.map((arm) => ({ ...skill, ...arm })) };
  const summary = openSummary([suite]);
  const cell = { level: "toy", skillId: "left", caseId: "t0" };
  summary.add(suite, sampleResult({ ...cell, model: "small", arm: "installed" }));
  summary.add(suite, sampleResult({ ...cell, model: "small", arm: "forced", status: "fail" }));

  const subjects = await summary.subjects();

  expect(subjects.map(({ model, arm, counts: { pass, fail } }) => [model, arm, pass, fail])).toEqual([
    ["small", "installed", 1, 0],
    ["small", "forced", 0, 1],
  ]);
});

test("a subject has the figures that every level has, and those of its level; the level says which way is better", async () => {
  const { unit, toy } = twoSuites();
  const summary = openSummary([unit, toy]);
  for (const result of resultsOf(toy, { left: ["pass", "fail"] })) summary.add(toy, result);

  const subjects = await summary.subjects();
  const left = subjects.find(({ level, skillId }) => level === "toy" && skillId === "left");

  expect(left).toMatchObject({
    skillVersion: "1.0.0",
    skillDigest: "sha256:left",
    suite: "bench",
    trials: 1,
    metrics: {
      surprises: { value: 1, interval: null, n: null, better: "down" },
      completionRate: {
        value: 0.5,
        interval: { method: "wilson-neff", cases: 2, trials: 2 },
        thisSuite: null,
        n: 2,
        better: "up",
      },
      errorRate: { value: 0, better: "down" },
      latencyP95Ms: { value: 100, better: "down" },
    },
    details: { of: "bench", maxLatencyMs: 30_000 },
  });
});

test("every rate with an interval over cases has one for a rerun of them, whatever its level gives", async () => {
  const own = sampleInterval(0.2, 0.8, { cases: 4, trials: 12 });
  const once = sampleInterval(0.2, 0.8, { cases: 4, trials: 4 });
  const metrics = { repeated: { value: 0.5, interval: own }, once: { value: 0.5, interval: once } };
  const { toy } = twoSuites(toyFold({ figures: async () => ({ metrics, details: {} }) }));

  const [subject] = await openSummary([toy]).subjects();

  expect(subject?.metrics.repeated).toMatchObject({
    interval: own,
    thisSuite: { ...wilson(6, 12), method: "wilson", estimates: "this-suite", cases: 4, trials: 12 },
  });
  expect(subject?.metrics.once).not.toHaveProperty("thisSuite");
});

test("a subject knows its cases by their content, in whatever order they are", async () => {
  const digest = async (...names: number[]) => {
    const suite = sampleSuite({ skills: sampleSkills("a"), tasks: sampleTasks(3) });
    const all = suite.subjects.flatMap((one) => suite.casesOf(one));
    const cases = names.flatMap((at) => all[at] ?? []);
    const [subject] = await openSummary([{ ...suite, casesOf: () => cases }]).subjects();
    return subject?.casesDigest;
  };

  expect(await digest(0, 1)).toBe(await digest(1, 0));
  expect(await digest(0, 1)).not.toBe(await digest(0, 1, 2));
});

test("invalid cells are without a verdict, unless the level counts its cases itself", async () => {
  const figures = () => ({ metrics: {}, details: {}, unknown: { count: 1, of: 5 } });
  const { unit, toy } = twoSuites(toyFold({ figures }));
  const summary = openSummary([unit, toy]);
  for (const suite of [unit, toy])
    for (const result of resultsOf(suite, { left: ["invalid", "invalid"], right: ["pass", "invalid"] }))
      summary.add(suite, result);

  const subjects = await summary.subjects(() => 0.25);

  expect(subjects.map(({ unknown }) => unknown)).toEqual([
    { count: 2, of: 2, maxShare: 0.25 },
    { count: 1, of: 2, maxShare: 0.25 },
    { count: 1, of: 5, maxShare: 0.25 },
    { count: 1, of: 5, maxShare: 0.25 },
  ]);
});

test("what a skill can bring about itself is counted apart, since no share accepts it", () => {
  const { unit } = twoSuites();
  const summary = openSummary([unit]);
  const causes = ["sandbox-hid", "skill-changed", "judge-unreliable", "provider-error"] as const;
  for (const [at, cause] of causes.entries())
    summary.add(
      unit,
      sampleResult({
        ...{ skillId: at % 2 === 0 ? "left" : "right", caseId: `t${at >> 1}` },
        ...{ status: "invalid", cause, score: null },
      }),
    );

  expect(summary.unacceptable()).toBe(3);
});

test("a fold that several suites share is asked once for warnings", () => {
  const fold = toyFold({ warnings: () => ["odd"] });
  const facts = { level: toyLevel, skills: sampleSkills("left") };
  const suites = ["one", "two"].map((id) => sampleSuite({ ...facts, id }, { fold }));

  expect(openSummary(suites).warnings()).toEqual(["odd"]);
});

test("what judging took is summed over all suites", () => {
  const { unit, toy } = twoSuites();
  const summary = openSummary([unit, toy]);
  const judge = { model: "judge", calls: 2, latencyMs: 10, usage: null };
  summary.add(unit, sampleResult({ skillId: "left", caseId: "t0", judge }));
  summary.add(toy, sampleResult({ level: "toy", skillId: "left", caseId: "t0", judge }));

  expect(summary.judges(new Map())).toMatchObject([{ model: "judge", calls: 4 }]);
});
