import { join } from "node:path";
import { expect, test } from "vitest";
import { type SampleRun, sampleTime, writeHistory } from "../../../test/sample-history.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { openSqliteHistory } from "../../store/open-history.ts";
import { sampleSubject } from "../../store/samples.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { type HistoryRequest, readHistory } from "./read-history.ts";

async function historyOf(runs: readonly SampleRun[], request: Partial<HistoryRequest> = {}) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await writeHistory(path, runs);
  await using history = await openSqliteHistory(path);
  if (history === null) throw new Error("it was just written");
  return await readHistory(history, { limit: 20, ...request });
}

test("a row has the figures of its run, rounded, and the change against the run before", async () => {
  const { rows } = await historyOf([
    { minute: 1, rates: { calc: 1 }, runs: 3 },
    { minute: 2, rates: { calc: 2 / 3 }, runs: 5 },
  ]);

  expect(rows[0]).toEqual({
    runId: "run-2",
    finishedAt: sampleTime(2),
    level: "unit",
    suite: "bench",
    subject: "calc",
    skillVersion: "1.0.0",
    trials: 5,
    rate: 0.6667,
    partialScore: 0.6667,
    errorRate: 0.0123,
    latencyP95Ms: 412.346,
    compositeScore: 0.6667,
    deltaRate: -0.3333,
    hasNewCases: false,
  });
  expect(rows[1]).toMatchObject({ runId: "run-1", trials: 3, deltaRate: null });
});

test("runs are compared with the same subject on the same suite of the same level only", async () => {
  const { rows } = await historyOf([
    { minute: 1, rates: { a: 0.5, b: 0.1 } },
    { minute: 2, rates: { a: 0.9 }, benchmarkId: "other" },
    { minute: 3, rates: { a: 0.75, b: 0.1 } },
    { minute: 4, rates: { a: 0.5 }, level: "toy" },
  ]);

  expect(rows.map(({ subject, suite, deltaRate }) => [subject, suite, deltaRate])).toEqual([
    ["a", "bench", null], // of another level
    ["a", "bench", 0.25],
    ["b", "bench", 0],
    ["a", "other", null],
    ["a", "bench", null],
    ["b", "bench", null],
  ]);
});

test("a suite that was edited begins a new series, and that is said", async () => {
  const { rows, trends } = await historyOf([
    { minute: 1, rates: { a: 0.5 }, casesDigest: "old" },
    { minute: 2, rates: { a: 0.75 }, casesDigest: "old" },
    { minute: 3, rates: { a: 1 }, casesDigest: "new" },
    { minute: 4, rates: { a: 0.9 }, casesDigest: "new" },
  ]);

  expect(rows.map(({ deltaRate, hasNewCases }) => [deltaRate, hasNewCases])).toEqual([
    [-0.1, false],
    [null, true],
    [0.25, false],
    [null, false],
  ]);
  expect(trends).toEqual([
    { subject: "a", suite: "bench", isOver: false, rates: [1, 0.9] },
    { subject: "a", suite: "bench", isOver: true, rates: [0.5, 0.75] },
  ]);
});

test("the run before counts even where limit or since leave it out", async () => {
  const runs = [
    { minute: 1, rates: { a: 0.5 } },
    { minute: 2, rates: { a: 0.75 } },
    { minute: 3, rates: { a: 1 } },
  ];

  expect((await historyOf(runs, { limit: 1 })).rows).toMatchObject([{ deltaRate: 0.25 }]);
  const since = (await historyOf(runs, { since: sampleTime(2) })).rows;
  expect(since.map(({ deltaRate }) => deltaRate)).toEqual([0.25, 0.25]);
});

test("what is not known is null, on either side of a change", async () => {
  const { rows } = await historyOf([
    { minute: 1, rates: { a: 0.5 } },
    { minute: 2, rates: { a: null } },
    { minute: 3, rates: { a: 1 } },
  ]);

  expect(rows.map(({ rate, deltaRate }) => [rate, deltaRate])).toEqual([
    [1, null],
    [null, null],
    [0.5, null],
  ]);
});

test("a level is followed by its first metric, and has none of the figures that it does not list", async () => {
  await using folder = await temporaryFolder();
  await using store = await openSqliteStore(join(folder.path, "store.db"));
  const base = sampleSubject({ skillId: "a", suite: "triggering", level: "trigger", trials: 5 }, 0.9);
  const decidedPassRate = { value: 2 / 3, interval: null, n: 3, better: "up" } as const;
  for (const minute of [1, 2]) {
    const [id, at] = [`run-${minute}`, sampleTime(minute)];
    await store.createRun({ id, plan: {}, startedAt: at, toolVersion: "1.0.0" });
    const subjects = [
      { ...base, metrics: { ...base.metrics, decidedPassRate } },
      sampleSubject({ skillId: "a" }, 1),
    ];
    await store.finishRun(id, "done", subjects, at);
  }

  const { rows, trends } = await readHistory(store, { limit: 20 });

  expect(rows[0]).toMatchObject({
    level: "trigger",
    suite: "triggering",
    trials: 5,
    rate: 0.6667, // two of three, whatever the completion rate leaves out
    partialScore: null,
    errorRate: null,
    compositeScore: null,
    latencyP95Ms: 412.346,
    deltaRate: 0,
  });
  expect(rows[1]).toMatchObject({ level: "unit", suite: "bench", rate: 1, partialScore: 1, deltaRate: 0 });
  expect(trends).toContainEqual({ subject: "a", suite: "triggering", isOver: false, rates: [2 / 3, 2 / 3] });
});

test("one model is a subject of its own under every condition", async () => {
  await using folder = await temporaryFolder();
  await using store = await openSqliteStore(join(folder.path, "store.db"));
  await store.createRun({ id: "run-1", plan: {}, startedAt: sampleTime(1), toolVersion: "1.0.0" });
  const model = { skillId: null, model: "small", level: "toy" };
  const subjects = ["installed", "absent"].map((arm, n) => sampleSubject({ ...model, arm }, n));
  await store.finishRun("run-1", "done", subjects, sampleTime(1));

  const { rows } = await readHistory(store, { limit: 20 });

  expect(rows.map(({ subject, rate }) => [subject, rate])).toEqual([
    ["small", 0],
    ["small (no skills)", 1],
  ]);
});

test("filters leave the subject and the suite they name; interrupted runs are no history", async () => {
  const runs: SampleRun[] = [
    { minute: 1, rates: { a: 0.5, b: 1 } },
    { minute: 2, rates: { a: 0.6 }, state: "interrupted" },
    { minute: 3, rates: { a: 0.7 }, benchmarkId: "other" },
  ];

  expect((await historyOf(runs, { subject: "a" })).rows.map(({ runId }) => runId)).toEqual([
    "run-3",
    "run-1",
  ]);
  expect((await historyOf(runs, { suite: "other" })).rows.map(({ runId }) => runId)).toEqual(["run-3"]);
  expect((await historyOf(runs, { subject: "nobody" })).rows).toEqual([]);
});

test("a trend goes from the oldest run to the newest, past the limit of rows, for every pair that is shown", async () => {
  const { trends } = await historyOf(
    [
      { minute: 1, rates: { a: 0.5, gone: 1 } },
      { minute: 2, rates: { a: null } },
      { minute: 3, rates: { a: 1 } },
    ],
    { limit: 1 },
  );

  expect(trends).toEqual([{ subject: "a", suite: "bench", isOver: false, rates: [0.5, null, 1] }]);
});
