import { existsSync } from "node:fs";
import { appendFile, mkdir } from "node:fs/promises";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import type { CellResult } from "../src/contract/result.ts";
import { answering, countingTasks, emptyProject, eventually, processesMentioning } from "./built-cli.ts";
import { killAndResume } from "./kill-rounds.ts";

/** Answers after a moment and writes down, one line per call, that it was called: beside its folder, so without a sandbox. */
const remembering = (log: string, pauseMs: number) =>
  answering(`
    require("node:fs").appendFileSync("${log}", input.n + "\\n");
    await new Promise((done) => setTimeout(done, ${pauseMs}));
    return { result: input.n };`);

/** A run over a slow skill, one cell at a time by default, of which the first result has been shown. */
async function slowRun(
  project: Awaited<ReturnType<typeof emptyProject>>,
  { tasks, pauseMs }: { tasks: number; pauseMs: number },
  ...flags: string[]
) {
  await project.skill("slow", remembering(project.at("calls.log"), pauseMs));
  await project.write("tasks.json", countingTasks(tasks));
  const lanes = flags.includes("--concurrency") ? [] : ["--concurrency", "1"];
  const line = "eval --skills skills/slow --tasks tasks.json --verbose --sandbox process".split(" ");
  const started = project.start([...line, ...lanes, ...flags]);
  await started.says(/ pass slow t/);
  return started;
}

const quickly = "eval --skills skills/quick --sandbox process --tasks".split(" ");

describe("case 7: an interrupted run", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "fault row 2: %s stops it with exit %i, kills its skills, and --resume finishes it",
    async (signal, exitCode) => {
      await using project = await emptyProject();
      const started = await slowRun(project, { tasks: 12, pauseMs: 150 }, "--concurrency", "2");

      started.child.kill(signal);
      const { code, stderr, stdout } = await started.ended;

      expect(code, stderr).toBe(exitCode);
      expect(stdout).toBe("");
      const [, resume] = /\n {2}eval-skills (eval --resume .+)\n/.exec(stderr) ?? [];
      expect(resume).toBeDefined();
      await eventually(() => processesMentioning(project.at("skills/slow")).length === 0);
      const acknowledged = (await project.read("reports/.eval.jsonl")).trim().split("\n").length;
      const callsBefore = (await project.read("calls.log")).trim().split("\n").length;

      const resumed = await project.run([...(resume as string).split(" "), "--json"]);

      expect(resumed.code).toBe(0);
      const cells: CellResult[] = resumed.document.cells;
      expect(cells.map(({ caseId }) => caseId)).toEqual(
        countingTasks(12).map((task) => (task as { id: string }).id),
      );
      expect(cells.every(({ status }) => status === "pass")).toBe(true);
      const callsAfter = (await project.read("calls.log")).trim().split("\n").length;
      expect(callsAfter - callsBefore).toBe(12 - acknowledged);
    },
  );

  test("fault row 2: a second Ctrl-C leaves at once, and the run can still be resumed", async () => {
    await using project = await emptyProject();
    const started = await slowRun(project, { tasks: 8, pauseMs: 100 });

    started.child.kill("SIGINT");
    started.child.kill("SIGINT");

    expect((await started.ended).code).toBe(130);
    const resumed = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);
    expect(resumed.code).toBe(0);
    expect(resumed.document).toMatchObject({ passed: 8, total: 8 });
  });

  test("with --json an interruption is one document that says how to go on", async () => {
    await using project = await emptyProject();
    const started = await slowRun(project, { tasks: 6, pauseMs: 200 }, "--json");

    started.child.kill("SIGINT");
    const { document } = await started.ended;

    expect(document).toMatchObject({ command: "eval", state: "interrupted", exitCode: 130 });
    expect(document.resume).toBe(`eval-skills eval --resume ${document.runId} --sandbox process`);
  });

  test("fault row 1: 8 rounds of kill -9 at random moments of 200 cells: every cell exactly once, nothing acknowledged repeated", async () => {
    const afterMs = () => 20 + Math.random() * 100;
    const killed = await killAndResume({ cells: 200, kills: 8, afterMs, from: "first word" });
    expect(killed).toBeGreaterThan(0);
  });
});

describe("what --resume refuses and allows", () => {
  async function interrupted(project: Awaited<ReturnType<typeof emptyProject>>) {
    const started = await slowRun(project, { tasks: 6, pauseMs: 100 });
    started.child.kill("SIGINT");
    await started.ended;
  }

  test("options that would change the plan are exit 2, others may differ", async () => {
    await using project = await emptyProject();
    await interrupted(project);

    const refused = await project.run(["eval", "--resume", "--sandbox", "process", "--runs", "2", "--json"]);
    const allowed = await project.run([
      "eval",
      "--resume",
      "--sandbox",
      "process",
      "--concurrency",
      "3",
      "--format",
      "json",
      "--json",
    ]);

    expect(refused.document).toMatchObject({ error: { code: "usage" }, exitCode: 2 });
    expect(refused.document.error.message).toContain("--runs");
    expect(allowed.document).toMatchObject({ passed: 6, run: { concurrency: 3 } });
  });

  test("the gate and the reports asked for at the start hold for the rest, unless others are given", async () => {
    await using project = await emptyProject();
    await project.skill("wrong", answering("await new Promise((go) => setTimeout(go, 100)); return 0;"));
    await project.write("tasks.json", countingTasks(6));
    const options = "--exit-on-fail --min-completion 0.9 --output-dir out --format junit".split(" ");
    const line = "eval --skills skills/wrong --tasks tasks.json --concurrency 1 -v".split(" ");
    const started = project.start([...line, ...options]);
    await started.says(/ fail wrong t/);
    started.child.kill("SIGINT");
    await started.ended;
    await mkdir(project.at("elsewhere"));

    const resumed = await project.run(["eval", "--resume", "--store", "../eval-skills.db", "--json"], {
      cwd: project.at("elsewhere"),
    });
    const loose = await project.run([
      "eval",
      "--resume",
      resumed.document.run.id,
      "--min-completion",
      "0",
      "--json",
    ]);

    expect(resumed).toMatchObject({ code: 1 });
    expect(resumed.document.gates).toMatchObject([
      { metric: "completionRate", op: ">=", threshold: 0.9, value: 0, enforced: true, passed: false },
    ]);
    expect(resumed.document.files.map((file: string) => basename(file))).toContain("eval-result.xml");
    expect(existsSync(project.at("out/eval-result.xml"))).toBe(true);
    expect(existsSync(project.at("elsewhere/reports"))).toBe(false);
    expect(loose).toMatchObject({ code: 0 });
  });

  test("fault row 49: a skill or a task that changed since is named, and nothing runs", async () => {
    await using project = await emptyProject();
    await interrupted(project);
    await appendFile(project.at("skills/slow/program"), "\n// changed\n");

    const skill = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);
    await project.write("tasks.json", [...countingTasks(5), { ...countingTasks(6)[5], inputData: { n: 7 } }]);
    const both = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);

    expect(skill.code).toBe(2);
    expect(skill.document.error.message).toContain("skill slow");
    expect(both.document.error.message).toContain("task t6");
  });

  test("on a complete run it only rewrites the reports", async () => {
    await using project = await emptyProject();
    await project.skill("quick", remembering(project.at("calls.log"), 0));
    const tasks = await project.write("tasks.json", countingTasks(3));
    const { document } = await project.run([...quickly, tasks, "--json"]);

    const reported = (await project.read("reports/eval-result.json")).length;
    await project.write("reports/eval-result.json", "");

    const resumed = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);

    expect(resumed.code).toBe(0);
    expect(document.cells).toHaveLength(3);
    expect(resumed.document.run.id).toBe(document.run.id);
    expect(resumed.stderr).toContain(`nothing left to do: run ${document.run.id} is complete, 3 cells`);
    expect(await project.read("reports/eval-result.json")).toHaveLength(reported);
    expect(resumed.document.cells).toEqual(document.cells);
    expect((await project.read("calls.log")).trim().split("\n")).toHaveLength(3);
  });

  test("a store without anything to resume is exit 2", async () => {
    await using project = await emptyProject();

    const { code, document } = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);

    expect(code).toBe(2);
    expect(document.error.code).toBe("nothing-to-do");
  });

  test("cells without a verdict are run again once the scorer is fixed elsewhere: the same run, complete", async () => {
    await using project = await emptyProject();
    await project.skill("quick", remembering(project.at("calls.log"), 0));
    await project.write(
      "scorers/asks.mjs",
      `
      import { existsSync } from "node:fs";
      export default ({ output, task }) => { if (!existsSync("${project.at("fixed")}") && task.id === "t2") process.exit(1); return output.result === task.inputData.n; };`,
    );
    const tasks = countingTasks(3).map((task) => ({
      ...task,
      expectedOutput: { type: "custom", customScorerPath: "./scorers/asks.mjs" },
    }));
    const file = await project.write("tasks.json", tasks);

    const first = await project.run([...quickly, file, "--json"]);
    await project.write("fixed", "");
    const second = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);

    expect([first.code, second.code]).toEqual([3, 0]);
    expect(first.document.subjects[0].counts).toMatchObject({ pass: 2, invalid: 1 });
    expect(second.document.run.id).toBe(first.document.run.id);
    expect(second.document.subjects[0].counts).toMatchObject({ pass: 3, invalid: 0 });
    expect((await project.read("calls.log")).trim().split("\n")).toHaveLength(4);
  });
});
