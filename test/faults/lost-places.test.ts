import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answering, countingTasks, emptyProject } from "../built-cli.ts";
import { breakableRun, expectNamedFile, expectNothingCorrupt } from "./broken-run.ts";
import { smallDisk, tmpfs } from "./small-disk.ts";
import { testWith } from "./tools.ts";

describe("fault row 6: the place of a run is gone, closed or out of descriptors", () => {
  test.each(["run", "run/reports", "run/store.db"])("rm -r %s in the middle: told at once", async (path) => {
    await using place = await emptyProject();
    await place.skill("slow", answering("await new Promise((go) => setTimeout(go, 50)); return input.n;"));
    await place.write("tasks.json", countingTasks(200));
    mkdirSync(place.at("run"));
    const output = ["--store", "run/store.db", "--output-dir", "run/reports"];
    const argv = [
      "eval",
      "--skills",
      "skills/slow",
      "--tasks",
      "tasks.json",
      "--verbose",
      "--json",
      ...output,
    ];
    const started = place.start(argv);
    await started.says(/ pass slow t/);

    rmSync(place.at(path), { recursive: true });
    const ended = await started.ended;

    expectNamedFile(ended, "run/");
    expect(existsSync(place.at("run/reports/eval-result.json"))).toBe(false);
    expect(ended.stderr.match(/ pass slow /g)?.length).toBeLessThan(100);
  });

  testWith("smallDisk")(
    "a file system that became read-only: told, and finished when it can be written",
    async () => {
      await using place = await emptyProject();
      mkdirSync(place.at("run"));
      const run = await breakableRun(place, { cells: 3 });
      await using disk = await smallDisk(place.at("run"), tmpfs("16m"));
      const under = disk.inside(place.path);
      disk.remount("ro");

      expectNamedFile(await run.begin({ under }), "run");
      disk.remount("rw");
      expect((await run.begin({ under })).code).toBe(0);
      disk.remount("ro");
      expectNamedFile(await run.begin({ under }), "run");
      disk.remount("rw");
      await run.finish({ under });
    },
  );

  testWith("prlimit")(
    "from 20 descriptors up to enough: never a failed gate, never half a report",
    async () => {
      const codes = new Set<number | null>();
      for (let descriptors = 20; !codes.has(0); descriptors += 4) {
        await using place = await emptyProject();
        mkdirSync(place.at("run"));
        const run = await breakableRun(place, { cells: 2 });

        const { code, stderr, stdout } = await run.begin({ under: ["prlimit", `--nofile=${descriptors}`] });

        codes.add(code);
        expect([0, 2, 3], stderr).toContain(code);
        if (code === 2) expect(stdout + stderr).toMatch(/too-many-open-files|too many open files|EMFILE/);
        expect(stderr).not.toContain("    at "); // no stack
        await expectNothingCorrupt(place.at("run"));
        await run.finish();
      }
      expect(codes.has(2)).toBe(true);
    },
  );

  testWith("prlimit")(
    "descriptors that run out among many cells cost cells, not the run; resuming runs those",
    async () => {
      await using place = await emptyProject();
      await place.skill("slow", answering("await new Promise((go) => setTimeout(go, 500)); return input.n;"));
      await place.write("tasks.json", countingTasks(40));
      const line = "eval --skills skills/slow --tasks tasks.json --json --concurrency 32".split(" ");

      // Enough to start with, too few for three pipes in each of 32 lanes.
      const starved = await place.run(line, { under: ["prlimit", "--nofile=96"] });

      expect(starved.code).toBe(3);
      const { counts } = starved.document.subjects[0];
      expect(counts.invalid).toBeGreaterThan(0);
      expect(counts.pass + counts.invalid).toBe(40);
      const fed = await place.run(["eval", "--resume", "--json", "--concurrency", "4"]);
      expect(fed.document).toMatchObject({ passed: 40, total: 40 });
      expect(readdirSync(place.at("reports")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    },
  );
});
