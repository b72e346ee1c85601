import { join } from "node:path";
import { expect, test } from "vitest";
import { type SampleRun, sampleTime, writeHistory } from "../../test/sample-history.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openSqliteHistory } from "../store/open-history.ts";
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
    skillId: "calc",
    skillVersion: "1.0.0",
    benchmarkId: "bench",
    runs: 5,
    completionRate: 0.6667,
    partialScore: 0.6667,
    errorRate: 0.0123,
    p95Ms: 412.346,
    compositeScore: 0.6667,
    deltaCompletion: -0.3333,
  });
  expect(rows[1]).toMatchObject({ runId: "run-1", runs: 3, deltaCompletion: null });
});

test("runs are compared with the same skill on the same benchmark only", async () => {
  const { rows } = await historyOf([
    { minute: 1, rates: { a: 0.5, b: 0.1 } },
    { minute: 2, rates: { a: 0.9 }, benchmarkId: "other" },
    { minute: 3, rates: { a: 0.75, b: 0.1 } },
  ]);

  expect(
    rows.map(({ skillId, benchmarkId, deltaCompletion }) => [skillId, benchmarkId, deltaCompletion]),
  ).toEqual([
    ["a", "bench", 0.25],
    ["b", "bench", 0],
    ["a", "other", null],
    ["a", "bench", null],
    ["b", "bench", null],
  ]);
});

test("the run before counts even where limit or since leave it out", async () => {
  const runs = [
    { minute: 1, rates: { a: 0.5 } },
    { minute: 2, rates: { a: 0.75 } },
    { minute: 3, rates: { a: 1 } },
  ];

  expect((await historyOf(runs, { limit: 1 })).rows).toMatchObject([{ deltaCompletion: 0.25 }]);
  const since = (await historyOf(runs, { since: sampleTime(2) })).rows;
  expect(since.map(({ deltaCompletion }) => deltaCompletion)).toEqual([0.25, 0.25]);
});

test("what is not known is null, on either side of a change", async () => {
  const { rows } = await historyOf([
    { minute: 1, rates: { a: 0.5 } },
    { minute: 2, rates: { a: null } },
    { minute: 3, rates: { a: 1 } },
  ]);

  expect(rows.map(({ completionRate, deltaCompletion }) => [completionRate, deltaCompletion])).toEqual([
    [1, null],
    [null, null],
    [0.5, null],
  ]);
});

test("trigger tests have the share of queries that passed, and none of the figures that tasks have", async () => {
  const { rows, trends } = await historyOf([
    { minute: 1, rates: { a: 1 }, runs: 3 },
    { minute: 2, rates: { a: 0.9 }, benchmarkId: "triggering" },
    { minute: 3, rates: { a: 0.9 }, benchmarkId: "triggering" },
  ]);

  expect(rows[0]).toMatchObject({
    benchmarkId: "triggering",
    runs: null,
    completionRate: 0.6667, // two of three, whatever the completion rate leaves out
    partialScore: null,
    errorRate: null,
    compositeScore: null,
    p95Ms: 412.346,
    deltaCompletion: 0,
  });
  expect(rows[2]).toMatchObject({ benchmarkId: "bench", runs: 3, deltaCompletion: null });
  expect(trends).toContainEqual({ skillId: "a", benchmarkId: "triggering", rates: [2 / 3, 2 / 3] });
});

test("filters leave the skill and the benchmark they name; interrupted runs are no history", async () => {
  const runs: SampleRun[] = [
    { minute: 1, rates: { a: 0.5, b: 1 } },
    { minute: 2, rates: { a: 0.6 }, state: "interrupted" },
    { minute: 3, rates: { a: 0.7 }, benchmarkId: "other" },
  ];

  expect((await historyOf(runs, { skillId: "a" })).rows.map(({ runId }) => runId)).toEqual([
    "run-3",
    "run-1",
  ]);
  expect((await historyOf(runs, { benchmarkId: "other" })).rows.map(({ runId }) => runId)).toEqual(["run-3"]);
  expect((await historyOf(runs, { skillId: "nobody" })).rows).toEqual([]);
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

  expect(trends).toEqual([{ skillId: "a", benchmarkId: "bench", rates: [0.5, null, 1] }]);
});
