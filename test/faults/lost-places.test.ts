import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answering, countingTasks, emptyProject } from "../built-cli.ts";
import { breakableRun, expectNamedFile, expectNothingCorrupt } from "./broken-run.ts";
import { smallDisk, tmpfs } from "./small-disk.ts";
import { testWith } from "./tools.ts";

describe("fault row 6: the place of a run is gone, closed or out of descriptors", () => {
  test.each(["run", "run/reports", "run/store.db"])("rm -r %s in the middle: told at once", async (path) => {
    await using project = await emptyProject();
    await project.skill("slow", answering("await new Promise((go) => setTimeout(go, 50)); return input.n;"));
    await project.write("tasks.json", countingTasks(200));
    mkdirSync(project.at("run"));
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
    const started = project.start(argv);
    await started.says(/ pass slow t/);

    rmSync(project.at(path), { recursive: true });
    const ended = await started.ended;

    expectNamedFile(ended, "run/");
    expect(existsSync(project.at("run/reports/eval-result.json"))).toBe(false);
    expect(ended.stderr.match(/ pass slow /g)?.length).toBeLessThan(100);
  });

  testWith("smallDisk")(
    "a file system that became read-only: told, and finished when it can be written",
    async () => {
      await using project = await emptyProject();
      mkdirSync(project.at("run"));
      const run = await breakableRun(project, { cells: 3 });
      await using disk = await smallDisk(project.at("run"), tmpfs("16m"));
      const under = disk.inside(project.path);
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
        await using project = await emptyProject();
        mkdirSync(project.at("run"));
        const run = await breakableRun(project, { cells: 2 });

        const { code, stderr, stdout } = await run.begin({ under: ["prlimit", `--nofile=${descriptors}`] });

        codes.add(code);
        expect([0, 2, 3], stderr).toContain(code);
        if (code === 2) expect(stdout + stderr).toMatch(/too-many-open-files|too many open files|EMFILE/);
        expect(stderr).not.toContain("    at "); // no stack
        await expectNothingCorrupt(project.at("run"));
        await run.finish();
      }
      expect(codes.has(2)).toBe(true);
    },
  );

  testWith("prlimit")(
    "descriptors that run out among many cells cost cells, not the run; resuming runs those",
    async () => {
      await using project = await emptyProject();
      await project.skill(
        "slow",
        answering("await new Promise((go) => setTimeout(go, 500)); return input.n;"),
      );
      await project.write("tasks.json", countingTasks(40));
      const line = "eval --skills skills/slow --tasks tasks.json --json --concurrency 32".split(" ");

      // Enough to start with, too few for three pipes in each of 32 lanes.
      const starved = await project.run(line, { under: ["prlimit", "--nofile=96"] });

      expect(starved.code).toBe(3);
      const { counts } = starved.document.subjects[0];
      expect(counts.invalid).toBeGreaterThan(0);
      expect(counts.pass + counts.invalid).toBe(40);
      const fed = await project.run(["eval", "--resume", "--json", "--concurrency", "4"]);
      expect(fed.document).toMatchObject({ passed: 40, total: 40 });
      expect(readdirSync(project.at("reports")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    },
  );
});
