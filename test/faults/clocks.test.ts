import { writeFileSync } from "node:fs";
import { describe, expect } from "vitest";
import type { CellResult } from "../../src/contract/result.ts";
import { answering, countingTasks, emptyProject } from "../built-cli.ts";
import { faketimeLibrary, testWith } from "./tools.ts";

const slow = answering("await new Promise((go) => setTimeout(go, 100)); return input.n;");

/** Not by `faketime` itself, which would stand between us and the signals. Only the wall clock is moved, as people move it. */
const movedClock = { LD_PRELOAD: faketimeLibrary(), DONT_FAKE_MONOTONIC: "1" };

/** A run under a clock that the test sets while it lasts. */
async function underClock(
  tasks: number,
  timeoutMs: number,
  set: (set: (offset: string) => void, says: Says) => Promise<void>,
  program = slow,
) {
  await using project = await emptyProject();
  await project.skill("slow", program);
  await project.write("tasks.json", countingTasks(tasks));
  const clock = await project.write("clock", "+0\n");
  const env = { ...movedClock, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: "1" };
  const line = "eval --skills skills/slow --tasks tasks.json --verbose --json --concurrency 1".split(" ");
  const began = performance.now();
  const started = project.start([...line, "--timeout", String(timeoutMs)], { env });
  await set((offset) => writeFileSync(clock, `${offset}\n`), started.says);
  const ended = await started.ended;
  return { document: ended.document, stderr: ended.stderr, lastedMs: performance.now() - began };
}

type Says = (words: RegExp) => Promise<void>;

describe("fault row 48: a clock that is set while a run lasts", () => {
  testWith("faketime")("forth and back by an hour: durations, deadlines and order do not move", async () => {
    const { document, stderr } = await underClock(12, 5000, async (set, says) => {
      await says(/ pass slow t2\b/);
      set("+3600");
      await says(/ pass slow t5\b/);
      set("-3600");
      await says(/ pass slow t8\b/);
      set("+0");
    });

    expect(document, stderr).toMatchObject({ passed: 12, total: 12, exitCode: 0 });
    const cells: CellResult[] = document.cells;
    expect(cells.map(({ caseId }) => caseId)).toEqual(Array.from({ length: 12 }, (_, n) => `t${n + 1}`));
    for (const { latencyMs } of cells) expect(latencyMs).toBeLessThan(5000);
    for (const { latencyMs } of cells) expect(latencyMs).toBeGreaterThan(90);
  });

  testWith("faketime")("back by an hour while a skill hangs: its deadline holds all the same", async () => {
    const { document, lastedMs } = await underClock(
      1,
      3000,
      async (set, says) => {
        await says(/1 cell/);
        set("-3600");
      },
      "#!/bin/sh\nsleep 1000\n",
    );

    expect(document.cells).toMatchObject([{ status: "timeout" }]);
    expect(lastedMs).toBeLessThan(20_000);
  });

  testWith("faketime")(
    "after 2038, over a leap second and into summer time a run is a run, and can be resumed",
    async () => {
      for (const [at, zone] of [
        ["2040-02-29 23:59:59", "UTC"],
        ["2016-12-31 23:59:59", "UTC"],
        ["2026-03-29 01:59:59", "Europe/Berlin"],
        ["2026-10-25 02:59:59", "Europe/Berlin"],
      ] as const) {
        await using project = await emptyProject();
        await project.skill("slow", slow);
        await project.write("tasks.json", countingTasks(10));
        const options = { env: { ...movedClock, FAKETIME: `@${at}`, TZ: zone } };
        const line = "eval --skills skills/slow --tasks tasks.json --verbose --concurrency 1".split(" ");
        const started = project.start(line, options);
        await started.says(/ pass slow t4\b/);
        started.child.kill("SIGTERM");
        const { code, signal, stderr: said } = await started.ended;
        expect([code, signal], said).toEqual([143, null]);

        const { document, stderr } = await project.run(["eval", "--resume", "--json"], options);

        expect(document, stderr).toMatchObject({ passed: 10, total: 10 });
        expect(document.run.startedAt.slice(0, 4)).toBe(at.slice(0, 4));
      }
    },
  );
});
