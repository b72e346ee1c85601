import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedWorld } from "../../test/captured-world.ts";
import { sampleCell, sampleReport, sampleSkill } from "../reporters/sample-report.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`);

/** A report file over tasks t0, t1, …; those named did not pass. */
function reportOf(
  failed: readonly string[],
  given: { tasks?: number; composite?: number; skillId?: string; trials?: number } = {},
) {
  const { tasks = 10, composite = 0.99, skillId = "my_calc", trials = 1 } = given;
  const taskResults = names(tasks).flatMap((taskId) =>
    Array.from({ length: trials }, (_, at) =>
      sampleCell({
        taskId,
        skillId,
        trial: at + 1,
        taskDigest: `sha256:${taskId}`,
        status: failed.includes(taskId) ? "fail" : "pass",
        reason: failed.includes(taskId) ? "expected 1, got 2" : null,
      }),
    ),
  );
  const skill = sampleSkill({ skillId, byTag: {} });
  const summary = { ...skill.summary, completionRate: 1 - failed.length / tasks, compositeScore: composite };
  const total = tasks * trials;
  const fail = failed.length * trials;
  const counts = { total, pass: total - fail, fail, error: 0, timeout: 0, invalid: 0 };
  return { ...sampleReport(), reports: [{ ...skill, summary, counts, taskResults }] };
}

async function project(files: Record<string, unknown>) {
  const world = await capturedWorld();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(world.cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  return { ...world, read: (name: string) => readFileSync(join(world.cwd, name), "utf8") };
}

describe("report convert", () => {
  test("writes Markdown to stdout unless told otherwise", async () => {
    await using world = await project({ "r.json": reportOf(["t3"]) });

    const { exitCode, stdout, stderr } = await world.run(["report", "convert", "--input", "r.json"]);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^# Evaluation report: .*- \*\*fail 1\/1\*\* t3: expected 1, got 2\n/s);
  });

  test.each([
    ["csv", /^skillId,benchmarkId,/],
    ["junit", /^<\?xml version="1.0".*<failure message="expected 1, got 2"/s],
    ["markdown", /^# Evaluation report/],
  ])("writes %s to stdout, to a file, and into one JSON document alike", async (format, beginning) => {
    await using world = await project({ "r.json": reportOf(["t3"]) });
    const argv = ["report", "convert", "--input", "r.json", "--format", format];

    const { stdout } = await world.run(argv);
    const toFile = await world.run([...argv, "--output", "new/folder/out"]);
    const { document } = await world.run([...argv, "--json"]);

    expect(stdout).toMatch(beginning);
    expect(toFile).toMatchObject({ exitCode: 0, stdout: "", stderr: "written to new/folder/out\n" });
    expect(world.read("new/folder/out")).toBe(stdout);
    expect(document).toEqual({ schemaVersion: 1, command: "report convert", format, content: stdout });
  });

  test("a bare list converts, and says nothing about a run it does not know", async () => {
    const [skill] = reportOf([]).reports;
    const other = { ...skill, benchmarkId: "second", taskResults: [sampleCell({ taskId: "only_here" })] };
    await using world = await project({ "bare.json": [skill, other] });

    const { stdout, exitCode } = await world.run(["report", "convert", "--input", "bare.json"]);
    const csv = await world.run(["report", "convert", "--input", "bare.json", "--format", "csv"]);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("How these results were made is not recorded");
    expect(stdout).not.toMatch(/Gate|Concurrency/);
    expect(stdout.match(/only_here/g)).toHaveLength(1);
    expect(csv.stdout.split("\r\n")).toHaveLength(4);
  });

  test("an output that is a link leads to its file, and one that is a pipe is left alone", async () => {
    await using world = await project({ "r.json": reportOf([]), "real.md": "old" });
    symlinkSync(join(world.cwd, "real.md"), join(world.cwd, "link.md"));
    execFileSync("mkfifo", [join(world.cwd, "pipe")]);
    const convert = (output: string) =>
      world.run(["report", "convert", "--input", "r.json", "--output", output, "--json"]);

    expect((await convert("link.md")).exitCode).toBe(0);
    expect(world.read("real.md")).toMatch(/^# Evaluation report/);
    expect(await convert("pipe")).toMatchObject({
      exitCode: 2,
      document: {
        error: { code: "output-unwritable", message: "pipe cannot be written: it is not a regular file" },
      },
    });
    expect(lstatSync(join(world.cwd, "pipe")).isFIFO()).toBe(true);
  });

  test.each([
    [["--format", "csv"], "usage", "--input is missing"],
    [["--input", "none.json"], "report-invalid", "none.json does not exist"],
    [["--input", "r.json", "--format", "jnuit"], "usage", '--format does not know "jnuit"'],
    [["--input", "r.json", "--format", "json"], "usage", '--format does not know "json"'],
    [
      ["--input", "bad.json"],
      "report-invalid",
      "bad.json: $.reports[0].counts.total is required and missing",
    ],
    [
      ["--input", "twice.json"],
      "report-invalid",
      "twice.json has two reports of my_calc on coding-easy, the first at $[0]",
    ],
    [["--input", ""], "usage", "--input is empty"],
    [["--input", "r.json", "-c", "none.yaml"], "config-invalid", "none.yaml does not exist"],
    [
      ["--input", "r.json", "--output", "r.json/x"],
      "output-unwritable",
      expect.stringMatching(/^r\.json\/x cannot be written/),
    ],
  ])("%j is exit 2", async (argv, code, message) => {
    const report = reportOf([]);
    const [skill] = report.reports;
    await using world = await project({
      "r.json": report,
      "bad.json": { ...report, reports: [{ ...skill, counts: {} }] },
      "twice.json": [skill, skill],
    });

    const { exitCode, document } = await world.run(["report", "convert", ...argv, "--json"]);

    expect({ exitCode, ...document.error }).toMatchObject({ exitCode: 2, code, message });
  });
});

describe("report diff", () => {
  const diff = (...argv: string[]) => ["report", "diff", "a.json", "b.json", ...argv];
  const broken = ["t0", "t1", "t2", "t3", "t4"];

  test("case 11: a decided fall is worse, exit 1 only where a regression is a failure", async () => {
    await using world = await project({
      "a.json": reportOf([]),
      "b.json": reportOf(broken, { composite: 0.63 }),
    });

    const informs = await world.run(diff());
    const fails = await world.run(
      diff("--fail-on-regression", "--label-a", "v1.0", "--label-b", "v2.0", "--json"),
    );

    expect(informs.exitCode).toBe(0);
    expect(informs.stdout).toMatch(/^# Before → After: 1 skill regressed\n/);
    expect(informs.stdout).toContain("↓ −0.3600 worse");
    expect(fails.exitCode).toBe(1);
    expect(fails.document).toEqual({
      schemaVersion: 1,
      command: "report diff",
      labels: { a: "v1.0", b: "v2.0" },
      skills: [
        {
          skillId: "my_calc",
          benchmarkId: "coding-easy",
          verdict: "regressed",
          reason: "interval below 0",
          metrics: {
            completionRate: { a: 1, b: 0.5, delta: -0.5, sense: "worse" },
            errorRate: { a: 0.0167, b: 0.0167, delta: 0, sense: "same" },
            latencyP95Ms: { a: 412, b: 412, delta: 0, sense: "same" },
            compositeScore: { a: 0.99, b: 0.63, delta: -0.36, sense: "worse" },
          },
          paired: {
            tasks: 10,
            meanDelta: -0.5,
            interval: { lower: -0.8, upper: -0.2 },
            broken,
            fixed: [],
            shifted: [],
          },
        },
      ],
      added: [],
      removed: [],
      warnings: [],
      exitCode: 1,
    });
  });

  test("case 11: the same fall is within noise where the tasks do not decide", async () => {
    await using world = await project({
      "a.json": reportOf([]),
      "b.json": reportOf(["t0"], { composite: 0.63 }),
    });

    const { exitCode, stdout } = await world.run(diff("--fail-on-regression"));
    const strict = await world.run(diff("--fail-on-regression", "--strict"));

    expect(exitCode).toBe(0);
    expect(stdout).toContain("1 skill inconclusive");
    expect(stdout).toContain("↓ −0.3600 within noise");
    expect(strict).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("strict: 1 task broken") });
  });

  test("case 11: identical reports are inconclusive, exit 0", async () => {
    await using world = await project({ "a.json": reportOf(["t1"]) });

    const { exitCode, document } = await world.run([
      "report",
      "diff",
      "a.json",
      "a.json",
      "--fail-on-regression",
      "--json",
    ]);

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      skills: [{ verdict: "inconclusive", reason: "no task changed" }],
      warnings: [],
      exitCode: 0,
    });
  });

  test("with --output the Markdown goes there, and the terminal gets the short of it", async () => {
    const slower = reportOf(broken, { composite: 0.63 });
    const containment = { level: "strict", backend: "bubblewrap", network: "none", unproven: [] } as const;
    slower.run = { ...slower.run, concurrency: 8, timeoutMs: 5_000, containment };
    slower.tool = { name: "eval-skills", version: "1.1.0" };
    const [skill] = slower.reports;
    if (skill) skill.benchmarkVersion = "2.0.0";
    await using world = await project({ "a.json": reportOf([]), "b.json": slower });

    const { stdout, stderr } = await world.run(diff("--output", "out/diff.md"));

    expect(stdout).toBe(
      "my_calc  regressed     CR ↓ −50.0 pp worse  (interval below 0)\n\n1 skill regressed\n",
    );
    expect(stderr).toBe(
      [
        "warning: different concurrency: Before 4, After 8; latencies do not compare, and neither does their share of the composite",
        "warning: different deadline: Before 30000 ms, After 5000 ms",
        "warning: different containment: Before process, After strict",
        "warning: different network of skills: Before open, After none",
        "warning: different version of benchmark coding-easy: Before 1.1.0, After 2.0.0",
        "warning: different version of eval-skills: Before 1.0.0, After 1.1.0",
        "written to out/diff.md",
        "",
      ].join("\n"),
    );
    expect(world.read("out/diff.md")).toMatch(/^# Before → After: 1 skill regressed\n.*## Warnings\n/s);
  });

  test("with --output and --json the document is on stdout besides", async () => {
    await using world = await project({ "a.json": reportOf([]), "b.json": reportOf(broken) });

    const { document } = await world.run(diff("--output", "diff.md", "--json"));

    expect(document.skills[0].verdict).toBe("regressed");
    expect(existsSync(join(world.cwd, "diff.md"))).toBe(true);
  });

  test("tasks that do not pair are counted", async () => {
    await using world = await project({ "a.json": reportOf([]), "b.json": reportOf([], { tasks: 12 }) });

    const { document } = await world.run(diff("--json"));

    expect(document.skills[0].paired.tasks).toBe(10);
    expect(document.warnings).toEqual([
      "my_calc: 2 tasks left out: changed, on one side only, or without a valid result on one side",
    ]);
  });

  test("a removed skill is a regression for the gate, an added one is not", async () => {
    const both = reportOf([]);
    both.reports.push(...reportOf([], { skillId: "other" }).reports);
    await using world = await project({ "two.json": both, "one.json": reportOf([]) });

    const removed = await world.run([
      "report",
      "diff",
      "two.json",
      "one.json",
      "--fail-on-regression",
      "--json",
    ]);
    const added = await world.run([
      "report",
      "diff",
      "one.json",
      "two.json",
      "--fail-on-regression",
      "--json",
    ]);

    expect(removed.exitCode).toBe(1);
    expect(removed.document.removed).toEqual([{ skillId: "other", benchmarkId: "coding-easy" }]);
    expect(added.exitCode).toBe(0);
    expect(added.document.added).toEqual([{ skillId: "other", benchmarkId: "coding-easy" }]);
  });

  test("nothing to pair, and anything but two reports, is exit 2", async () => {
    const elsewhere = reportOf([]);
    const [skill] = elsewhere.reports;
    if (skill) skill.benchmarkId = "web-search-basic";
    const later = { ...reportOf([]), command: "planbench" };
    await using world = await project({
      "a.json": reportOf([]),
      "b.json": elsewhere,
      "p.json": later,
      "e.json": [],
    });
    const fails = async (...argv: string[]) => {
      const { exitCode, document } = await world.run(["report", "diff", ...argv, "--json"]);
      return {
        exitCode,
        code: document.error.code,
        message: document.error.message,
        hint: document.error.hint,
      };
    };

    expect(await fails("a.json", "b.json")).toEqual({
      exitCode: 2,
      code: "nothing-to-do",
      message: "a.json and b.json have no skill and benchmark in common",
      hint: "a.json has my_calc on coding-easy; b.json has my_calc on web-search-basic",
    });
    expect(await fails("a.json", "e.json")).toMatchObject({ exitCode: 2, code: "nothing-to-do" });
    expect(await fails("a.json", "p.json")).toMatchObject({
      code: "report-invalid",
      message: expect.stringContaining("p.json: "),
    });
    expect(await fails("a.json")).toMatchObject({ code: "usage", message: "report diff needs a <b>" });
    expect(await fails("a.json", "b.json", "c.json")).toMatchObject({ exitCode: 2, code: "usage" });
    expect(await fails("a.json", "b.json", "--seed", "x")).toMatchObject({ exitCode: 2, code: "usage" });
    expect(await fails("a.json", "b.json", "--strct")).toMatchObject({ hint: "did you mean --strict?" });
  });

  test("on GitHub Actions a regression is annotated and the page of the job has the comparison", async () => {
    await using world = await project({ "a.json": reportOf([]), "b.json": reportOf(broken) });
    const summary = join(world.cwd, "summary.md");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };

    const { stderr, stdout } = await world.run(diff("--fail-on-regression"), { env });
    mkdirSync(join(world.cwd, "folder"));
    const unwritable = await world.run(diff("--json"), {
      env: { ...env, GITHUB_STEP_SUMMARY: join(world.cwd, "folder") },
    });

    expect(stderr).toMatch(/^::error title=my_calc regressed on coding-easy::completion ↓ −50\.0 pp worse/);
    expect(readFileSync(summary, "utf8")).toBe(`${stdout}\n`);
    expect(unwritable.exitCode).toBe(0);
    expect(unwritable.document.command).toBe("report diff");
    expect(unwritable.stderr).toContain("warning: the job summary cannot be written");
  });
});

test("report, report convert and report diff have help with examples", async () => {
  await using world = await capturedWorld();
  for (const command of [["report"], ["report", "convert"], ["report", "diff"]]) {
    const { exitCode, stdout } = await world.run([...command, "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Usage: eval-skills report.*Examples:\n {2}\$ eval-skills report /s);
  }
  expect((await world.run(["report"])).exitCode).toBe(2);
});
