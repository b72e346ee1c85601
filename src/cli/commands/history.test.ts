import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { type SampleRun, sampleTime, writeHistory } from "../../../test/sample-history.ts";

const runs: SampleRun[] = [
  { minute: 1, rates: { my_calc: 1 }, runs: 3 },
  { minute: 2, rates: { my_calc: 0.95, other: 0.5 } },
  { minute: 3, rates: { my_calc: 0.9 }, benchmarkId: "coding-easy" },
];

async function openProject(history: readonly SampleRun[] = runs) {
  const cli = await capturedCli();
  if (history.length > 0) await writeHistory(join(cli.cwd, "eval-skills.db"), history);
  return cli;
}

test("the document has a row per finished run, skill and benchmark, newest first", async () => {
  await using project = await openProject();

  const { document, exitCode } = await project.run(["history", "--json"]);

  expect(exitCode).toBe(0);
  expect(Object.keys(document)).toEqual(["schemaVersion", "command", "rows"]);
  expect(
    document.rows.map((row: { runId: string; subject: string }) => `${row.runId} ${row.subject}`),
  ).toEqual(["run-3 my_calc", "run-2 my_calc", "run-2 other", "run-1 my_calc"]);
  expect(document.rows[1]).toEqual({
    runId: "run-2",
    hasNewCases: false,
    finishedAt: sampleTime(2),
    level: "unit",
    suite: "bench",
    subject: "my_calc",
    skillVersion: "1.0.0",
    trials: 1,
    rate: 0.95,
    partialScore: 0.95,
    errorRate: 0.0123,
    latencyP95Ms: 412.346,
    compositeScore: 0.95,
    deltaRate: -0.05,
  });
});

test.each([
  [["--skill", "other"], ["run-2"]],
  [["--benchmark", "coding-easy"], ["run-3"]],
  [
    ["--since", "2026-03-01T00:02Z"],
    ["run-3", "run-2", "run-2"],
  ],
  [["--since", "2026-03-02"], []],
  [["--limit", "1"], ["run-3"]],
])("%j leaves %j", async (argv, ids) => {
  await using project = await openProject();

  const { document } = await project.run(["history", ...argv, "--json"]);

  expect(document.rows.map(({ runId }: { runId: string }) => runId)).toEqual(ids);
});

test("people see a table and a drawing, in ASCII where the locale asks for it", async () => {
  await using project = await openProject();

  const unicode = await project.run(["history"], { env: { LANG: "en_US.UTF-8" } });
  const ascii = await project.run(["history"], { env: { LANG: "C" } });
  const dumb = await project.run(["history"], { env: { TERM: "dumb" } });

  expect(unicode.stdout).toContain("my_calc on bench  █▇  100.0% → 95.0%");
  expect(ascii.stdout).toContain("my_calc on bench  #*  100.0% -> 95.0%");
  expect(dumb.stdout).toBe(ascii.stdout);
});

test("without a store there is no history, which is no failure, and none is created", async () => {
  await using project = await openProject([]);

  expect(await project.run(["history", "--json"])).toMatchObject({ exitCode: 0, document: { rows: [] } });
  const { stdout, stderr } = await project.run(["history"]);

  expect([stdout, stderr]).toEqual(["", "no runs yet: store not found: ./eval-skills.db\n"]);
  expect(existsSync(join(project.cwd, "eval-skills.db"))).toBe(false);
});

test("a skill nobody evaluated is no failure, and the one that was meant is named", async () => {
  await using project = await openProject();

  const { exitCode, stderr } = await project.run(["history", "--skill", "my_cal"]);

  expect([exitCode, stderr]).toEqual([0, "no finished run of skill my_cal; did you mean my_calc?\n"]);
});

test.each([
  [["--store", "gone.db"], "store-unusable"],
  [["--since", "2026-13-40"], "usage"],
  [["--limit", "-1"], "usage"],
  [["--skill", ""], "usage"],
  [["--sinse", "2026-01-01"], "usage"],
  [["my_calc"], "usage"],
])("%j is exit 2 with %s", async (argv, code) => {
  await using project = await openProject();

  const { exitCode, document } = await project.run(["history", ...argv, "--json"]);

  expect([exitCode, document.error.code, document.command]).toEqual([2, code, "history"]);
});
