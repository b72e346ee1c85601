import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { subjectName } from "../../contract/cell.ts";
import { Config } from "../../contract/config.ts";
import type { SubjectReport } from "../../contract/document.ts";
import type { PlanTable } from "../../contract/planbench-report.ts";
import { parseCell } from "../../contract/result.ts";
import { rescoredResult } from "../../engine/cell-result.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { runLevels } from "../../engine/run-levels.ts";
import { neverAborted } from "../../shared/async/abort.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { collectPages } from "../../shared/async/each-of.ts";
import { type BenchOutput, benchOutput, benchPlan } from "./request.ts";
import { type BenchSession, benchSessions } from "./session.ts";

/** A clock that does not advance, so that two runs must be equal. */
const still: Clock = { ...systemClock, now: () => 1_700_000_000_000, monotonic: () => 0 };

const good = { v: 1 };
/** 30 samples: ok at once, ok after repairs, and failed, of routed, forced and fixed cases. */
const bench = {
  id: "plans",
  schema: "plan.json",
  target: { type: "model", model: "mock" },
  skill_roots: ["skills"],
  samples: 3,
  max_repairs: 2,
  cases: Array.from({ length: 10 }, (_, n) => {
    const outputs = [[good], [{}, good], [{}, {}, good], [{}]][n % 4];
    const head = { id: `case-${n}`, input: n === 2 ? "what about whales" : "sort the books" };
    if (n === 9) return { ...head, source: "fixed", outputs };
    return { ...head, mock: outputs, ...(n % 3 === 0 && { route: { forced: "sorter" } }) };
  }),
};

async function benchProject() {
  const folder = await temporaryFolder();
  const write = (path: string, content: object | string) =>
    writeFileSync(join(folder.path, path), typeof content === "string" ? content : JSON.stringify(content));
  mkdirSync(join(folder.path, "skills/sorter"), { recursive: true });
  write("skills/sorter/SKILL.md", "---\nname: sorter\ndescription: Sort books by author.\n---\nSort them.\n");
  write("plan.json", { type: "object", required: ["v"], properties: { v: { const: 1 } } });
  write("bench.json", bench);
  const loaded = { config: Config.parse({}), origins: {}, files: { project: null, user: null } };
  const options = { bench: "bench.json", evalLog: null, minOk0: 0.1 };
  const output = benchOutput(options, loaded, folder.path);
  const context = (store: string) => ({
    env: process.env,
    version: "0.0.0",
    models: { apiKey: null, record: null, replay: null },
    exclude: [],
    storePath: join(folder.path, store),
    concurrency: 4,
    clock: still,
  });
  return {
    write,
    output,
    begin: (store: string) => benchSessions.begin(benchPlan(options, loaded, folder.path), context(store)),
    resume: (runId: string, store: string) =>
      benchSessions.resume(runId, benchPlan(options, loaded, folder.path), context(store), () => {}),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

function run(session: BenchSession, output: BenchOutput, signal = neverAborted) {
  const runOptions = { formats: [], listeners: [], version: "0.0.0", random: () => 0, clock: still };
  return runLevels(session, output, { ...runOptions, cwd: "/", env: {}, signal });
}

/** The result of a run, without what differs between any two runs. */
async function runSummary(session: BenchSession, output: BenchOutput) {
  const end = await run(session, output);
  if (end.state !== "done") throw new Error("interrupted");
  const { run: facts, cases, ...report } = end.report;
  return JSON.stringify({
    ...report,
    run: { ...facts, id: "", startedAt: "", store: "" },
    cases: [...cases],
    // A sample that was stopped was tried once more.
    cells: [...end.cells()].map((text) => ({ ...parseCell(text), attempts: [] })),
  });
}

test("stopped after 20 of 30 samples and resumed, a bench comes to what it would have come to; resumed again, too", async () => {
  await using project = await benchProject();
  await using whole = await project.begin("whole.db");
  const undisturbed = await runSummary(whole, project.output);
  const { subjects, gates, suites } = JSON.parse(undisturbed);
  const tables = subjects.map(({ details }: SubjectReport) => details.table);
  expect(tables.toSorted((a: PlanTable, b: PlanTable) => b.planned - a.planned)).toMatchObject([
    {
      route: "routed",
      planned: 18,
      n: 18,
      ok: 15,
      buckets: { "0": 6, "1": 6, "2": 3, fail: 3 },
      hitRate: 0.8333,
    },
    { route: "forced", planned: 9, n: 9, ok: 6 },
    { route: "fixed", planned: 3, n: 3, ok: 3 },
  ]);
  expect(subjects.map(subjectName).sort()).toEqual(["fixed", "mock", "mock (forced)"]);
  expect(gates).toMatchObject([{ subject: { arm: "routed" } }, { subject: { arm: "forced" } }]);
  expect(suites).toMatchObject([{ id: "plans", level: "planbench", cases: 10 }]);

  const stop = new AbortController();
  let id: string;
  {
    await using cut = await project.begin("cut.db");
    id = cut.run.id;
    const { sourceFor } = cut.ready.target;
    let requests = 0;
    cut.ready.target.sourceFor = (...of) => {
      // 20 samples ask 18 times: two are of the fixed case.
      if (++requests === 19) stop.abort(new Interrupted("SIGINT"));
      return sourceFor(...of);
    };
    const end = await run(cut, { ...project.output, concurrency: 1 }, stop.signal);
    expect(end.state).toBe("interrupted");
    expect(await collectPages(cut.store.results(id, { suite: "plans" }))).toHaveLength(20);
  }
  let executed = 0;
  for (const expected of [10, 0]) {
    executed = 0;
    await using session = await project.resume(id, "cut.db");
    const { sourceFor } = session.ready.target;
    session.ready.target.sourceFor = (...of) => {
      executed++;
      return sourceFor(...of);
    };
    expect(await runSummary(session, project.output)).toBe(undisturbed);
    // Those of fixed cases ask no target.
    expect(executed).toBeLessThanOrEqual(expected);
    expect(executed > 0).toBe(expected > 0);
  }
});

test("a stored sample is decided anew as it was decided first; what tests the bench alone is not a history", async () => {
  await using project = await benchProject();
  await using session = await project.begin("a.db");
  const end = await run(session, project.output);
  if (end.state !== "done") throw new Error("interrupted");
  const [suite] = end.suites;
  const stored = (await collectPages(session.store.results(session.run.id))).map(parseCell);
  expect(stored).toHaveLength(30);

  for (const cell of suite?.cells ?? []) {
    const before = stored.find(({ key }) => key === cell.key);
    if (before === undefined || suite === undefined) throw new Error(`${cell.key} has no result`);
    expect(await rescoredResult(before, cell, { suite, signal: neverAborted, isSameCase: false })).toEqual(
      before,
    );
  }
  const finished = await collectPages(session.store.finishedReports());
  expect(finished.map(({ subject }) => subjectName(subject)).sort()).toEqual(["mock", "mock (forced)"]);
});

test.each<[string, (write: (path: string, content: object | string) => void) => void, RegExp]>([
  [
    "skill",
    (write) =>
      write(
        "skills/sorter/SKILL.md",
        "---\nname: sorter\ndescription: Sort books by author.\n---\nSort well.\n",
      ),
    /skill sorter/,
  ],
  [
    "schema",
    (write) => write("plan.json", { type: "object", properties: { v: { const: 1 } } }),
    /the schema has/,
  ],
  [
    "model",
    (write) => write("bench.json", { ...bench, target: { type: "sse", url: "http://localhost:4000" } }),
    /: the model/,
  ],
  [
    "bench",
    (write) => write("bench.json", { ...bench, max_repairs: 3 }),
    /the key max_repairs has changed since it started/,
  ],
  [
    "case",
    (write) =>
      write("bench.json", {
        ...bench,
        cases: bench.cases.map((one, n) => (n === 1 ? { ...one, input: "sort the shelf" } : one)),
      }),
    /case case-1/,
  ],
])("a run is not taken up with another %s", async (_, change, words) => {
  await using project = await benchProject();
  const begun = await project.begin("a.db");
  await begun[Symbol.asyncDispose]();
  change(project.write);

  await expect(project.resume(begun.run.id, "a.db")).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(words),
  });
});
