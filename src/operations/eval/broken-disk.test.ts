import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { evalProject, task } from "../../../test/eval-project.ts";
import { type DiskFault, failEveryOperation } from "../../../test/failing-disk.ts";
import { canLimitFiles, withLimitedFiles } from "../../../test/limited-files.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { SuiteRun } from "../../contract/level.ts";
import { createRun, resumeRun } from "../../engine/open-run.ts";
import { runLevels } from "../../engine/run-levels.ts";
import { prepareOutputFolder } from "../../engine/write-reports.ts";
import { jsonFormat } from "../../report/formats/json.ts";
import { systemClock } from "../../shared/async/clock.ts";
import type { Disk } from "../../shared/files/disk.ts";
import { openDatabase, readPragma } from "../../shared/files/sqlite-driver.ts";
import { readJsonLines } from "../../shared/json/json-lines.ts";
import { type ErrorCode, UserError } from "../../shared/user-error.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { prepareRun } from "./preflight.ts";
import { evalOutput } from "./request.ts";

const taskNames = ["one", "two", "three", "four"];
const project = await evalProject(taskNames.map((name) => task(name, { text: name.repeat(500) })));
const prepared = await prepareRun(project.plan(), project.context());
afterAll(async () => {
  await prepared[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

interface Part {
  /** Tasks whose skill was called. */
  called: string[];
  /** Tasks that were reported as done. */
  reported: string[];
  /** Null where it did not even begin. */
  runId: string | null;
  error: UserError | null;
}

/** A run over real files whose cells cost nothing, new or resumed. What ends it must be something the user can fix. */
async function runIn(
  folder: string,
  {
    disk,
    resume = null,
    onCall,
  }: { disk?: Disk; resume?: string | null; onCall?: (name: string) => void } = {},
): Promise<Part> {
  const part: Part = { called: [], reported: [], runId: null, error: null };
  const suite: SuiteRun = {
    ...prepared.suite,
    execute: async ({ case: { id } }) => {
      part.called.push(id);
      onCall?.(id);
      return { status: "answered", output: 42, latencyMs: 1, stderrTail: "" };
    },
  };
  const ready = { ...prepared, suites: () => [suite] };
  const output = project.output({
    concurrency: 1,
    outputDir: join(folder, "out"),
    evalLog: join(folder, "out/.eval.jsonl"),
  });
  try {
    prepareOutputFolder(output.outputDir);
    await using store = await openSqliteStore(join(folder, "store.db"), disk === undefined ? {} : { disk });
    const stored = resume === null ? null : await store.findRun(resume);
    const plan = project.plan();
    const run =
      stored === null
        ? await createRun(store, null, { clock: systemClock, version: "1.2.3" })
        : await resumeRun(store, stored);
    part.runId = run.id;
    const owned: Disposable[] = [];
    await using session = {
      ...{ run, plan, ready, store, granted: [] },
      own: (resource: Disposable) => void owned.push(resource),
      async [Symbol.asyncDispose]() {
        for (const resource of owned) resource[Symbol.dispose]();
      },
    };
    await runLevels(session, evalOutput(output), {
      formats: [jsonFormat],
      clock: systemClock,
      random: () => 0,
      signal: new AbortController().signal,
      listeners: [(event) => event.type === "cell-ended" && part.reported.push(event.cell.caseId)],
      version: "1.2.3",
      cwd: folder,
      env: {},
      ...(disk === undefined ? {} : { disk }),
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    part.error = error;
  }
  return part;
}

/** What must hold after a run that broke off, whatever broke it: nothing corrupt, nothing half-written, no reported result lost. */
async function checkAndResume(folder: string, first: Part): Promise<void> {
  await checkStore(join(folder, "store.db"));
  const report = join(folder, "out/eval-result.json");
  if (existsSync(report)) expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ passed: 4 });
  const log = join(folder, "out/.eval.jsonl");
  if (existsSync(log)) expect(readJsonLines(log).problems).toEqual([]);

  const second = await runIn(folder, { resume: first.runId });

  expect(second.error).toBeNull();
  expect(second.called.filter((name) => first.reported.includes(name))).toEqual([]);
  expect(new Set([...first.called, ...second.called])).toEqual(new Set(taskNames));
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ passed: 4, total: 4 });
  const lines = readJsonLines(log).values as { taskId: string }[];
  expect(lines.map(({ taskId }) => taskId).sort()).toEqual([...taskNames].sort());
  expect(readdirSync(join(folder, "out")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
}

async function checkStore(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const database = await openDatabase(path);
  try {
    expect(readPragma(database, "integrity_check")).toBe("ok");
  } finally {
    database.close();
  }
}

const writingCodes: readonly ErrorCode[] = ["store-unusable", "output-unwritable"];

function expectNamedFile({ error }: Part, folder: string): void {
  expect(writingCodes).toContain(error?.code);
  expect(error?.path?.startsWith(folder), `${error?.path} is below ${folder}`).toBe(true);
}

// Each step is two whole runs with all their syncs; of a full disk the short write says as much.
const patience = 120_000;
const faults: DiskFault[] = ["EIO", "short write"];

describe.each(faults)(
  "fault rows 3 and 4: %s at every single operation of a run's own writing",
  { timeout: patience },
  (fault) => {
    test("is reported with the file's name, corrupts nothing, and the run is finished once there is room", async () => {
      const count = await failEveryOperation(fault, async (disk) => {
        await using folder = await temporaryFolder();

        const part = await runIn(folder.path, { disk });

        if (part.error !== null) expectNamedFile(part, folder.path);
        else expect(part.reported).toHaveLength(4);
        if (part.error !== null) await checkAndResume(folder.path, part);
      });
      expect(count).toBeGreaterThan(20);
    });
  },
);

test.skipIf(!canLimitFiles)(
  "fault row 3: a disk that is full for SQLite at every page is reported, corrupts nothing, and the run is finished later",
  { timeout: patience },
  async () => {
    let steps = 0;
    for (let bytes = 0; ; bytes += 4120) {
      await using folder = await temporaryFolder();
      mkdirSync(join(folder.path, "out"));

      const part = await withLimitedFiles(bytes, () => runIn(folder.path));

      if (part.error === null) break;
      expectNamedFile(part, folder.path);
      expect(part.error.message).toMatch(/full|I\/O error|EFBIG|File too large|file too large/);
      await checkAndResume(folder.path, part);
      steps++;
    }
    expect(steps).toBeGreaterThan(15);
  },
);

describe("fault row 6: what a run writes to vanishes in the middle of it", () => {
  test.each([
    ["the folder of the reports", "out", "output-unwritable"],
    ["the store", "store.db", "store-unusable"],
    ["everything", ".", "store-unusable"],
  ])("%s: a clear error, and no half report", async (_, name, code) => {
    await using folder = await temporaryFolder();
    const dir = join(folder.path, "project");
    mkdirSync(dir);
    const part = await runIn(dir, {
      onCall: (task) => task === "two" && rmSync(join(dir, name), { recursive: true }),
    });

    expectNamedFile(part, dir);
    expect(part.error?.code).toBe(code);
    expect(existsSync(join(dir, "out/eval-result.json"))).toBe(false);
    expect(dirname(part.error?.path ?? "").startsWith(dir)).toBe(true);
  });
});
