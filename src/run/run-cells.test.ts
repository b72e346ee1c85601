import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleSkill, sampleTask, sleeplessClock } from "../../test/sample-cell.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { systemClock } from "../base/clock.ts";
import { allOf } from "../base/each-of.ts";
import { neverAborted } from "../base/never-aborted.ts";
import { openDatabase } from "../base/sqlite-driver.ts";
import type { Cell } from "../contract/cell.ts";
import type { Containment } from "../contract/containment.ts";
import { parseCell } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import { sampleResult } from "../contract/sample-result.ts";
import { planCells } from "../plan/plan-cells.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import type { LogLine } from "./eval-log.ts";
import { Interrupted } from "./interrupted.ts";
import { createRun, resumeRun } from "./open-run.ts";
import type { Part } from "./part.ts";
import { type RunWork, runCells } from "./run-cells.ts";

const open: Containment = { level: "off", backend: null, network: "open", unproven: [] };

function planOf(suiteId: string, skillIds: readonly string[], tasks: number): Part["plan"] {
  return planCells({
    suiteId,
    skills: skillIds.map((id) => sampleSkill({ id, digest: `sha256:${suiteId} ${id}` })),
    tasks: Array.from({ length: tasks }, (_, n) => sampleTask({ id: `t${n}` }, { digest: `sha256:${n}` })),
    trials: 1,
    deadlineOf: () => 1000,
  });
}

/** The cells of a suite that needs nothing but an `execute`. */
function partOf(
  suiteId: string,
  skillIds: readonly string[],
  tasks: number,
  given: Partial<Part> = {},
): Part {
  return {
    suiteId,
    skillIds,
    plan: planOf(suiteId, skillIds, tasks),
    execute: async ({ position }) => ({
      status: "answered",
      output: position % 3 === 0 ? 41 : 42,
      latencyMs: 1,
      stderrTail: "",
    }),
    checkOutput: () => [],
    stampOf: () => null,
    retries: 0,
    add() {},
    lineOf: logLine,
    ...given,
  };
}

function logLine({ skillId, cellKey, status }: CellResult): LogLine {
  return { kind: "task", skillId, cellKey, verdict: status };
}

function workOf(parts: readonly Part[], given: Partial<RunWork> = {}): RunWork {
  return {
    parts,
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
  const { id } = await storeFinished(path, evalLog, finished);

  async function beginning(): Promise<number> {
    await using store = await openSqliteStore(path);
    const stored = await store.findRun(id);
    if (stored === null) throw new Error("it was stored");
    const run = await resumeRun(store, stored);
    const stop = new AbortController();
    let first: number | null = null;
    let counted = 0;
    const part = partOf("bench", ["skill"], 100_000, {
      add: () => void counted++,
      // Everything up to the first cell was planning and resuming.
      async execute({ position }) {
        first ??= position;
        stop.abort(new Interrupted("SIGINT"));
        throw stop.signal.reason;
      },
    });
    const world = { store, clock: systemClock, random: () => 0, signal: stop.signal, listeners: [] };
    const stall = await longestStallMs(async () => {
      const end = await runCells(run, workOf([part], { evalLog, concurrency: 1 }), world);
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
async function storeFinished(path: string, evalLog: string, finished: number): Promise<{ id: string }> {
  await using store = await openSqliteStore(path);
  const run = await createRun(store, {}, { clock: systemClock, version: "1.0.0" });
  const database = await openDatabase(path);
  const insert = database.prepare(
    `INSERT INTO results (run_id, cell_key, position, skill_id, benchmark_id, task_id, trial, status, score, latency_ms,
      data, finished_at) VALUES (?, ?, ?, 'skill', 'bench', ?, 1, 'pass', 1, 1, ?, '')`,
  );
  let log = "";
  database.exec("BEGIN");
  for (const { key, position, task } of planOf("bench", ["skill"], 100_000)) {
    if (position === finished) break;
    const result = sampleResult({ cellKey: key, taskId: task.task.id, output: "x".repeat(200) });
    insert.run(run.id, key, position, task.task.id, JSON.stringify(result));
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
  const world = { clock: sleeplessClock(), random: () => 0, signal: neverAborted, listeners: [] };
  const suites = [
    ["alpha", ["left", "right"], 300],
    ["beta", ["right"], 450],
  ] as const;
  const executed: string[] = [];
  const counted: string[] = [];
  const parts = () =>
    suites.map(([suiteId, skillIds, tasks]) => {
      const part = partOf(suiteId, skillIds, tasks);
      return {
        ...part,
        execute: (cell: Cell, signal: AbortSignal) => {
          executed.push(cell.key);
          return part.execute(cell, signal);
        },
        add: ({ cellKey }: CellResult) => void counted.push(cellKey),
      };
    });

  await using store = await openSqliteStore(join(folder.path, "store.db"));
  const whole = await createRun(store, {}, { clock: world.clock, version: "1.0.0" });
  const wholeEnd = await runCells(whole, workOf(parts()), { ...world, store });
  expect(wholeEnd.state).toBe("done");
  const expected = await allOf(store.results(whole.id));
  expect(expected).toHaveLength(1050);

  const cut = await createRun(store, {}, { clock: systemClock, version: "1.0.0" });
  const random = seeded(7);
  const cells = suites.flatMap(([suiteId, skillIds, tasks]) => [...planOf(suiteId, skillIds, tasks)]);
  const missing: string[] = [];
  const ended: Promise<void>[] = [];
  for (const cell of cells) {
    const chance = random();
    if (chance < 0.5)
      ended.push(store.cellEnded(cut.id, cell.suiteId, cell.position, resultFor(cell, expected)));
    else missing.push(cell.key);
    if (chance < 0.5 || chance > 0.7) continue;
    const invalid = { ...resultFor(cell, expected), status: "invalid" as const, score: null };
    ended.push(store.cellEnded(cut.id, cell.suiteId, cell.position, invalid));
  }
  store.flush();
  await Promise.all(ended);
  await store.finishRun(cut.id, "interrupted", [], cut.startedAt);
  executed.length = 0;
  counted.length = 0;

  const stored = await store.findRun(cut.id);
  if (stored === null) throw new Error("it was stored");
  const end = await runCells(await resumeRun(store, stored), workOf(parts()), { ...world, store });

  expect(end.state).toBe("done");
  expect(executed).toEqual(missing);
  expect(counted.toSorted()).toEqual(cells.map(({ key }) => key).toSorted());
  expect(await allOf(store.results(cut.id))).toEqual(expected);
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
