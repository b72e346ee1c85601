import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleSkill, sleeplessClock } from "../../test/sample-cell.ts";
import { sampleSuite, sampleTasks } from "../../test/sample-suite.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Cell } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import type { RunEvent } from "../contract/event.ts";
import type { LogLine, SuiteRun } from "../contract/level.ts";
import { type CellResult, parseCell } from "../contract/result.ts";
import { neverAborted } from "../shared/async/abort.ts";
import { systemClock } from "../shared/async/clock.ts";
import { collectPages } from "../shared/async/each-of.ts";
import { openDatabase } from "../shared/files/sqlite-driver.ts";
import { sampleResult } from "../store/samples.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { Interrupted } from "./interrupted.ts";
import { createRun, resumeRun } from "./open-run.ts";
import { type RunWork, runCells } from "./run-cells.ts";

const open: Containment = { level: "off", backend: null, network: "open", unproven: [] };

/** A suite that needs nothing but an `execute`. */
function suiteOf(
  id: string,
  skillIds: readonly string[],
  tasks: number,
  changes: Parameters<typeof sampleSuite>[1] = {},
): SuiteRun {
  const skills = skillIds.map((skillId) => sampleSkill({ id: skillId, digest: `sha256:${id} ${skillId}` }));
  return sampleSuite(
    { id, skills, tasks: sampleTasks(tasks) },
    {
      execute: async ({ position }) => ({
        status: "answered",
        output: position % 3 === 0 ? 41 : 42,
        latencyMs: 1,
        stderrTail: "",
      }),
      lineOf: logLine,
      ...changes,
    },
  );
}

function logLine({ skillId, key, status }: CellResult): LogLine {
  return { kind: "task", skillId: skillId ?? "", cellKey: key, verdict: status };
}

function workOf(suites: readonly SuiteRun[], given: Partial<RunWork> = {}): RunWork {
  return {
    suites,
    add: () => {},
    concurrency: 4,
    evalLog: null,
    containment: open,
    warnings: [],
    redact: (value) => value,
    abandon: async () => {},
    ...given,
  };
}

/** How long the event loop was held at most while something was done. */
async function longestStallMs(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let tick = { at: performance.now(), cpu: process.cpuUsage() };
  const look = () => {
    const { user, system } = process.cpuUsage(tick.cpu);
    const waitedMs = performance.now() - tick.at;
    // Whoever else has the processor is not our doing: a stall of ours takes both the clock's and the processor's time.
    longest = Math.max(longest, Math.min(waitedMs, (user + system) / 1000));
    tick = { at: performance.now(), cpu: process.cpuUsage() };
  };
  const probe = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(probe);
  }
  return longest;
}

test("resuming 100,000 cells of which 50,000 are finished never holds the event loop for 50 ms", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  const evalLog = join(folder.path, "log.jsonl");
  const finished = 50_000;
  const planned = suiteOf("bench", ["skill"], 100_000);
  const { id } = await storeFinished(path, evalLog, planned.cells, finished);

  async function beginning(): Promise<number> {
    await using store = await openSqliteStore(path);
    const stored = await store.findRun(id);
    if (stored === null) throw new Error("it was stored");
    const run = await resumeRun(store, stored);
    const stop = new AbortController();
    let first: number | null = null;
    let counted = 0;
    const suite: SuiteRun = {
      ...planned,
      // Everything up to the first cell was planning and resuming.
      async execute({ position }) {
        first ??= position;
        stop.abort(new Interrupted("SIGINT"));
        throw stop.signal.reason;
      },
    };
    const context = { store, clock: systemClock, random: () => 0, signal: stop.signal, listeners: [] };
    const stall = await longestStallMs(async () => {
      const end = await runCells(
        run,
        workOf([suite], { evalLog, concurrency: 1, add: () => void counted++ }),
        context,
      );
      expect(end.state).toBe("interrupted");
    });
    expect({ first, counted }).toEqual({ first: finished, counted: finished });
    return stall;
  }

  // The better of two: a major collection of garbage, which is nobody's planning, may fall into one of them.
  const first = await beginning();
  const stall = first < 50 ? first : Math.min(first, await beginning());

  expect(stall).toBeLessThan(50);
});

/** A run whose first cells are finished, and logged, as if they had just been run. */
async function storeFinished(
  path: string,
  evalLog: string,
  cells: Iterable<Cell>,
  finished: number,
): Promise<{ id: string }> {
  await using store = await openSqliteStore(path);
  const run = await createRun(store, {}, { clock: systemClock, version: "1.0.0" });
  const database = await openDatabase(path);
  const insert = database.prepare(
    `INSERT INTO results (run_id, cell_key, position, level, suite, subject, case_id, trial, status, score, latency_ms,
      data, finished_at) VALUES (?, ?, ?, 'unit', 'bench', 'skill', ?, 1, 'pass', 1, 1, ?, '')`,
  );
  let log = "";
  database.exec("BEGIN");
  for (const { key, position, case: task } of cells) {
    if (position === finished) break;
    const result = sampleResult({ key, caseId: task.id, output: "x".repeat(200) });
    insert.run(run.id, key, position, task.id, JSON.stringify(result));
    log += `${JSON.stringify({ schemaVersion: 1, runId: run.id, ...logLine(result) })}\n`;
  }
  database.exec("COMMIT");
  database.close();
  writeFileSync(evalLog, log);
  await store.finishRun(run.id, "interrupted", [], run.startedAt);
  return run;
}

test("a run with gaps is resumed in exactly the cells without a verdict, and ends as one that was never stopped", async () => {
  await using folder = await temporaryFolder();
  const context = { clock: sleeplessClock(), random: () => 0, signal: neverAborted, listeners: [] };
  const suites = [
    ["alpha", ["left", "right"], 300],
    ["beta", ["right"], 450],
  ] as const;
  const executed: string[] = [];
  const counted: string[] = [];
  const work = () =>
    workOf(
      suites.map(([id, skillIds, tasks]) => {
        const suite = suiteOf(id, skillIds, tasks);
        return {
          ...suite,
          execute: (cell: Cell, signal: AbortSignal) => {
            executed.push(cell.key);
            return suite.execute(cell, signal);
          },
        };
      }),
      { add: ({ id }, { suite, key }) => void counted.push(suite === id ? key : `${key} in ${id}`) },
    );

  await using store = await openSqliteStore(join(folder.path, "store.db"));
  const whole = await createRun(store, {}, { clock: context.clock, version: "1.0.0" });
  const wholeEnd = await runCells(whole, work(), { ...context, store });
  expect(wholeEnd.state).toBe("done");
  const expected = await collectPages(store.results(whole.id));
  expect(expected).toHaveLength(1050);

  const cut = await createRun(store, {}, { clock: systemClock, version: "1.0.0" });
  const random = seeded(7);
  const cells = suites.flatMap(([id, skillIds, tasks]) => [...suiteOf(id, skillIds, tasks).cells]);
  const missing: string[] = [];
  const ended: Promise<void>[] = [];
  for (const cell of cells) {
    const chance = random();
    if (chance < 0.5) ended.push(store.cellEnded(cut.id, cell.position, resultFor(cell, expected)));
    else missing.push(cell.key);
    if (chance < 0.5 || chance > 0.7) continue;
    const invalid = { ...resultFor(cell, expected), status: "invalid" as const, score: null };
    ended.push(store.cellEnded(cut.id, cell.position, invalid));
  }
  store.flush();
  await Promise.all(ended);
  await store.finishRun(cut.id, "interrupted", [], cut.startedAt);
  executed.length = 0;
  counted.length = 0;

  const stored = await store.findRun(cut.id);
  if (stored === null) throw new Error("it was stored");
  const end = await runCells(await resumeRun(store, stored), work(), { ...context, store });

  expect(end.state).toBe("done");
  expect(executed).toEqual(missing);
  expect(counted.toSorted()).toEqual(cells.map(({ key }) => key).toSorted());
  expect(await collectPages(store.results(cut.id))).toEqual(expected);
});

function resultFor({ key }: Cell, texts: readonly string[]): CellResult {
  const text = texts.find((one) => one.includes(key));
  if (text === undefined) throw new Error("every cell has a result");
  return parseCell(text);
}

/** A generator of numbers between 0 and 1 that are the same every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Runs a suite of three tasks, of which the first is answered wrong, in a store of its own. */
async function wholeRun(folder: string) {
  const context = { clock: sleeplessClock(), random: () => 0, signal: neverAborted, listeners: [] };
  const store = await openSqliteStore(join(folder, "store.db"));
  const run = await createRun(store, {}, { clock: systemClock, version: "1.0.0" });
  await runCells(run, workOf([suiteOf("bench", ["skill"], 3)]), { ...context, store });
  await store.finishRun(run.id, "done", [], run.startedAt);
  const stored = await store.findRun(run.id);
  if (stored === null) throw new Error("it was stored");
  return { context: { ...context, store }, store, stored };
}

const lenient: SuiteRun["score"] = () => ({ score: 1, passed: true, reason: "anything goes" });

test("results of rules that have changed since are decided anew when a run is resumed, and nothing is executed", async () => {
  await using folder = await temporaryFolder();
  const { context, store, stored } = await wholeRun(folder.path);
  await using _open = store;
  const counted: CellResult[] = [];
  const suite = suiteOf("bench", ["skill"], 3, {
    execute: () => Promise.reject(new Error("must not be executed")),
    score: lenient,
    isOutdated: ({ reason }) => reason !== "anything goes",
  });
  const work = workOf([suite], { add: (_, result) => void counted.push(result) });

  const end = await runCells(await resumeRun(store, stored), work, context);

  expect(end.state).toBe("done");
  expect(counted.map(({ status, reason }) => `${status}: ${reason}`)).toEqual(
    Array(3).fill("pass: anything goes"),
  );
  expect((await collectPages(store.results(stored.id))).map(parseCell)).toEqual(counted);
});

test("a run that rescores another executes nothing, and says which cells have no result there", async () => {
  await using folder = await temporaryFolder();
  const { context, store, stored } = await wholeRun(folder.path);
  await using _open = store;
  const before = (await collectPages(store.results(stored.id))).map(parseCell);
  const suite = suiteOf("bench", ["skill"], 4, {
    execute: () => Promise.reject(new Error("must not be executed")),
    score: lenient,
  });
  const warnings: string[] = [];
  const listeners = [(event: RunEvent) => void (event.type === "warning" && warnings.push(event.message))];
  const facts = { clock: systemClock, version: "1.0.0", rescores: stored.id };
  const run = await createRun(store, {}, facts);

  const end = await runCells(run, workOf([suite]), { ...context, listeners });

  expect(end.state).toBe("done");
  const anew = (await collectPages(store.results(run.id))).map(parseCell);
  expect(before.map(({ status }) => status)).toEqual(["fail", "pass", "pass"]);
  expect(anew).toEqual(
    before.map((result) => ({ ...result, status: "pass", score: 1, reason: "anything goes" })),
  );
  expect((await collectPages(store.results(stored.id))).map(parseCell)).toEqual(before);
  expect(warnings).toEqual([expect.stringContaining("1 cell cannot be rescored")]);
});
