import { expect, test } from "vitest";
import { sampleTask } from "../../test/sample-cell.ts";
import { sampleSkills, sampleSuite, sampleTasks } from "../../test/sample-suite.ts";
import { type CaseReport, type MetricReport, ReportFile } from "../contract/document.ts";
import type { SuiteRun } from "../contract/level.ts";
import { redactor } from "../shared/text/redact.ts";
import { sampleInterval, sampleSubject } from "../store/samples.ts";
import { type DocumentFacts, makeDocument } from "./make-document.ts";
import type { PreparedRun } from "./prepared-run.ts";

function ready(changes: Partial<PreparedRun> = {}): PreparedRun {
  return {
    suites: () => [],
    containment: { level: "off", backend: null, network: "open", unproven: [] },
    secrets: [],
    redact: (value) => value,
    warnings: [],
    skipped: [],
    seed: 7,
    skillIds: [],
    models: ["small"],
    conditions: () => ({ deadline: "1000 ms" }),
    settings: () => ({ runs: 1 }),
    async [Symbol.asyncDispose]() {},
    ...changes,
  };
}

function documentOf(suites: readonly SuiteRun[], changes: Partial<DocumentFacts> = {}) {
  return makeDocument({
    run: { id: "r1", startedAt: "2026-03-01T07:00:00.000Z", isResumed: false, wasDone: false },
    finishedAt: "2026-03-01T07:01:00.000Z",
    command: "eval",
    concurrency: 2,
    granted: [],
    timesRecorded: null,
    machine: null,
    store: "./store.db",
    version: "1.2.3",
    ready: ready(),
    suites,
    subjects: [],
    gates: [],
    judges: [],
    warnings: [],
    files: [],
    exitCode: 0,
    ...changes,
  });
}

function casesOf(suites: readonly SuiteRun[], changes: Partial<DocumentFacts> = {}): CaseReport[] {
  return [...documentOf(suites, changes).cases];
}

// Cases

test("a case is reported with its input and all that is expected", () => {
  const expectedOutput = { type: "close_to", value: 4 } as const;
  const tasks = [sampleTask({ id: "t", inputData: { x: 2 }, expectedOutput, tags: ["math"], weight: 2 })];

  expect(casesOf([sampleSuite({ tasks })])).toEqual([
    {
      suite: "bench",
      level: "unit",
      skillId: null,
      id: "t",
      digest: `sha256:${"b".repeat(64)}`,
      title: null,
      input: { x: 2 },
      expected: { type: "close_to", value: 4 },
      tags: ["math"],
      weight: 2,
      isShortened: false,
    },
  ]);
});

test("an input that is too long is shortened, and marked as such", () => {
  const [found] = casesOf([sampleSuite({ tasks: [sampleTask({ inputData: "x".repeat(10_000) })] })]);

  expect(found?.isShortened).toBe(true);
  expect(String(found?.input)).toMatch(/^"x{1000,2000}…?/);
  expect(String(found?.input).length).toBeLessThanOrEqual(2001);
});

test("of more cases than a report should repeat whole it repeats less, of every one of them", () => {
  const inputData = "x".repeat(1000);
  const tasks = Array.from({ length: 5000 }, (_, n) => sampleTask({ id: `t${n}`, inputData }));

  const few = casesOf([sampleSuite({ tasks })]);
  const many = casesOf([sampleSuite({ tasks: [...tasks, sampleTask({ id: "last", inputData })] })]);

  expect(few).toHaveLength(5000);
  expect(few.every(({ input, isShortened }) => input === inputData && !isShortened)).toBe(true);
  expect(many).toHaveLength(5001);
  expect(many.every(({ input, isShortened }) => String(input).length <= 201 && isShortened)).toBe(true);
});

test("cases that all subjects share come once, those of one skill under its id", () => {
  const skills = sampleSkills("left", "right");
  const shared = sampleSuite({ skills, tasks: sampleTasks(2) });
  const [first = sampleTask(), second = sampleTask()] = sampleTasks(2);
  const own = sampleSuite(
    { id: "own", skills, tasks: [first, second] },
    { casesOf: ({ skillId }) => (skillId === "left" ? [first] : [first, second]) },
  );

  const { suites, cases } = documentOf([shared, own]);

  expect([...cases].map(({ suite, skillId, id }) => `${suite} ${skillId} ${id}`)).toEqual([
    "bench null t0",
    "bench null t1",
    "own left t0",
    "own right t0",
    "own right t1",
  ]);
  expect(suites.map(({ id, cases: count }) => [id, count])).toEqual([
    ["bench", 2],
    ["own", 3],
  ]);
});

test("cases are read as often as asked, without the secrets in them", () => {
  const secret = "hunter2-hunter2";
  const suite = sampleSuite({ tasks: [sampleTask({ inputData: { key: secret } })] });

  const { cases } = documentOf([suite], { ready: ready({ redact: redactor([secret]) }) });

  expect([...cases]).toEqual([...cases]);
  expect([...cases]).toMatchObject([{ input: { key: "[redacted]" } }]);
});

// Subjects

const metric = (value: number | null, more: Partial<MetricReport> = {}): MetricReport => ({
  value,
  interval: null,
  n: 3,
  better: "up",
  ...more,
});

test("subjects stay in the order of the plan, whatever their figures: latency must not change a document", () => {
  const suites = [sampleSuite({ id: "alpha", skills: sampleSkills("a", "b") })];
  const subjects = ["b", "a"].map((skillId, at) =>
    sampleSubject({ suite: "alpha", skillId, metrics: { compositeScore: metric(at) } }),
  );

  expect(documentOf(suites, { subjects }).subjects.map(({ skillId }) => skillId)).toEqual(["b", "a"]);
});

test("shares and scores are written to 4 decimals, latencies to 3, counts as they are", () => {
  const third = 1 / 3;
  const interval = sampleInterval(third, 2 / 3, { nEff: 22 / 7 });
  const subject = sampleSubject({
    metrics: {
      completionRate: metric(2 / 3, { interval }),
      latencyP95Ms: metric(412.34567, { better: "down" }),
      unlistedMs: metric(1.23456),
      unknown: metric(null),
    },
    byTag: { math: { total: 3, pass: 1, completionRate: third, interval, partialScore: null } },
    details: {
      passAtK: { 1: third },
      passHatK: null,
      maxLatencyMs: 30_000,
      tokenCost: { estimatedUSD: 0.123456 },
      own: third,
    },
  });

  const [found] = documentOf([sampleSuite()], { subjects: [subject] }).subjects;
  const written = { ...interval, lower: 0.3333, upper: 0.6667, nEff: 3.1429 };

  expect(found?.metrics).toEqual({
    completionRate: metric(0.6667, { interval: written }),
    latencyP95Ms: metric(412.346, { better: "down" }),
    unlistedMs: metric(1.235),
    unknown: metric(null),
  });
  expect(found?.byTag).toEqual({
    math: { total: 3, pass: 1, completionRate: 0.3333, interval: written, partialScore: null },
  });
  expect(found?.details).toEqual({
    passAtK: { 1: 0.3333 },
    passHatK: null,
    maxLatencyMs: 30_000,
    tokenCost: { estimatedUSD: 0.1235 },
    own: third, // a level rounds its own
  });
});

// The whole

test("passed and total count the cells of all suites, and trials are the most of any", () => {
  const counts = { total: 3, pass: 2, fail: 1, error: 0, timeout: 0, invalid: 0 };
  const suites = [sampleSuite({ id: "alpha" }), sampleSuite({ id: "beta", trials: 4 })];
  const subjects = ["alpha", "beta"].map((suite) => sampleSubject({ suite, counts }));

  const document = documentOf(suites, { subjects });

  expect(document).toMatchObject({ passed: 4, total: 6, run: { trials: 4, seed: 7, models: ["small"] } });
  expect(ReportFile.parse({ ...document, cases: [...document.cases], cells: [] })).toMatchObject({
    schemaVersion: 2,
    suites: [
      { id: "alpha", level: "unit", version: "1.0.0", cases: 1 },
      { id: "beta", level: "unit", version: "1.0.0", cases: 1 },
    ],
  });
});

test("the digest of a plan changes with all that decides its cells, and with nothing else", () => {
  const digest = (suite: SuiteRun, changes: Partial<DocumentFacts> = {}) =>
    documentOf([suite], changes).run.planDigest;
  const base = digest(sampleSuite());

  expect(digest(sampleSuite(), { concurrency: 9, store: "./other.db" })).toBe(base);
  for (const other of [
    sampleSuite({ id: "other" }),
    sampleSuite({ trials: 2 }),
    sampleSuite({ tasks: sampleTasks(1) }),
    sampleSuite({ skills: sampleSkills("calc") }),
  ])
    expect(digest(other)).not.toBe(base);
});
