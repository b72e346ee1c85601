import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { reportFile, skillParts } from "../../../test/sample-report-file.ts";
import type { ReportFile } from "../../contract/document.ts";

/** A skill over tasks t0, t1, …; those named did not pass. */
function makeParts(
  failed: readonly string[],
  given: { tasks?: number; composite?: number; skillId?: string; trials?: number; suite?: string } = {},
) {
  const { tasks = 10, composite = 0.99, trials = 1, ...names } = given;
  const ids = Array.from({ length: tasks }, (_, n) => `t${n}`);
  return skillParts({
    ...names,
    tasks: Object.fromEntries(ids.map((id) => [id, (failed.includes(id) ? "f" : "p").repeat(trials)])),
    completionRate: 1 - failed.length / tasks,
    compositeScore: composite,
  });
}

const skillReport = (...given: Parameters<typeof makeParts>) => reportFile(makeParts(...given));

async function project(files: Record<string, unknown>) {
  const cli = await capturedCli();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cli.cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  return { ...cli, read: (name: string) => readFileSync(join(cli.cwd, name), "utf8") };
}

describe("report convert", () => {
  test("writes Markdown to stdout unless told otherwise", async () => {
    await using cli = await project({ "r.json": skillReport(["t3"], { trials: 3 }) });

    const { exitCode, stdout, stderr } = await cli.run(["report", "convert", "--input", "r.json"]);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^# 3 of 30 failed.*\bt3\b.*expected 1, got 2\n/s);
  });

  test.each([
    ["csv", /expected 1, got 2/],
    ["junit", /^<\?xml version="1.0".*expected 1, got 2/s],
    ["markdown", /^# 1 of 10 failed/],
    ["terminal", /1 of 10 failed[^\n]*\n$/],
  ])("writes %s to stdout, to a file, and into one JSON document alike", async (format, beginning) => {
    await using cli = await project({ "r.json": skillReport(["t3"]) });
    const argv = ["report", "convert", "--input", "r.json", "--format", format];

    const { stdout } = await cli.run(argv);
    const toFile = await cli.run([...argv, "--output", "new/folder/out"]);
    const { document } = await cli.run([...argv, "--json"]);

    expect(stdout).toMatch(beginning);
    expect(toFile).toMatchObject({ exitCode: 0, stdout: "", stderr: "written to new/folder/out\n" });
    expect(cli.read("new/folder/out")).toBe(stdout);
    expect(document).toEqual({ schemaVersion: 1, command: "report convert", format, content: stdout });
  });

  test("several skills and suites convert together", async () => {
    const report = reportFile(
      makeParts([]),
      makeParts(["t1"], { skillId: "other" }),
      makeParts([], { suite: "second", tasks: 1 }),
    );
    await using cli = await project({ "r.json": report });

    const { stdout, exitCode } = await cli.run(["report", "convert", "--input", "r.json"]);
    const csv = await cli.run(["report", "convert", "--input", "r.json", "--format", "csv"]);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# 1 of 21 failed/);
    for (const name of ["my_calc on coding-easy", "other on coding-easy", "my_calc on second"])
      expect(stdout).toContain(name);
    expect(csv.stdout.trimEnd().split("\r\n")).toHaveLength(1 + 21);
  });

  test("a document becomes lines of JSON and the same document again", async () => {
    const report = skillReport(["t3"]);
    await using cli = await project({ "r.json": report });
    const convert = (input: string, format: string) =>
      cli.run(["report", "convert", "--input", input, "--format", format]);

    const lines = await convert("r.json", "ndjson");
    writeFileSync(join(cli.cwd, "r.ndjson"), lines.stdout);
    const again = await convert("r.ndjson", "json");

    expect(lines.stdout.trimEnd().split("\n")).toHaveLength(1 + 10);
    expect(again).toMatchObject({ exitCode: 0, stderr: "", document: report });
  });

  test.each(["markdown", "html", "csv", "junit", "terminal"])(
    "the least there can be converts to %s",
    async (format) => {
      await using cli = await project({ "least.json": reportFile() });

      const { exitCode, stdout } = await cli.run([
        "report",
        "convert",
        "--input",
        "least.json",
        "--format",
        format,
      ]);

      expect(exitCode).toBe(0);
      expect(stdout).not.toBe("");
    },
  );

  test("CSV has a row per cell, or per subject where that is wanted", async () => {
    await using cli = await project({ "r.json": skillReport(["t3"], { trials: 3 }) });
    const rows = async (...more: string[]) => {
      const { stdout } = await cli.run([
        "report",
        "convert",
        "--input",
        "r.json",
        "--format",
        "csv",
        ...more,
      ]);
      return stdout.trimEnd().split("\r\n").length - 1;
    };

    expect([await rows(), await rows("--csv-rows", "subjects")]).toEqual([30, 1]);
  });

  test("an output that is a link leads to its file, and one that is a pipe is left alone", async () => {
    await using cli = await project({ "r.json": skillReport([]), "real.md": "old" });
    symlinkSync(join(cli.cwd, "real.md"), join(cli.cwd, "link.md"));
    execFileSync("mkfifo", [join(cli.cwd, "pipe")]);
    const convert = (output: string) =>
      cli.run(["report", "convert", "--input", "r.json", "--output", output, "--json"]);

    expect((await convert("link.md")).exitCode).toBe(0);
    expect(cli.read("real.md")).toMatch(/^# /);
    expect(await convert("pipe")).toMatchObject({
      exitCode: 2,
      document: {
        error: { code: "output-unwritable", message: "pipe cannot be written: it is not a regular file" },
      },
    });
    expect(lstatSync(join(cli.cwd, "pipe")).isFIFO()).toBe(true);
  });

  test.each([
    [["--format", "csv"], "usage", "missing required option --input"],
    [["--input", "none.json"], "report-invalid", "none.json does not exist"],
    [["--input", "r.json", "--format", "jnuit"], "usage", 'invalid value for --format: "jnuit"'],
    [
      ["--input", "bad.json"],
      "report-invalid",
      "bad.json: $.subjects[0].counts.total is required and missing",
    ],
    [
      ["--input", "twice.json"],
      "report-invalid",
      "twice.json has two cells for trial 1 of t0 (my_calc), the first at $.cells[0]",
    ],
    [["--input", "bare.json"], "report-invalid", "bare.json is not a report"],
    [["--input", "bare.json", "--csv-rows", "subjects"], "usage", "--csv-rows has no effect on markdown"],
    [
      ["--input", "old.json"],
      "report-invalid",
      "old.json has schema version 1; this version of eval-skills reads version 2",
    ],
    [["--input", ""], "usage", "--input is empty"],
    [["--input", "r.json", "-c", "none.yaml"], "config-invalid", "none.yaml does not exist"],
    [
      ["--input", "r.json", "--output", "r.json/x"],
      "output-unwritable",
      expect.stringMatching(/^r\.json\/x cannot be written/),
    ],
  ])("%j is exit 2", async (argv, code, message) => {
    const report = skillReport([]);
    const [skill] = report.subjects;
    await using cli = await project({
      "r.json": report,
      "bad.json": { ...report, subjects: [{ ...skill, counts: {} }] },
      "twice.json": { ...report, cells: [...report.cells, ...report.cells] },
      "bare.json": [skill],
      "old.json": { ...report, schemaVersion: 1 },
    });

    const { exitCode, document } = await cli.run(["report", "convert", ...argv, "--json"]);

    expect({ exitCode, ...document.error }).toMatchObject({ exitCode: 2, code, message });
  });
});

describe("report diff", () => {
  const diff = (...argv: string[]) => ["report", "diff", "a.json", "b.json", ...argv];
  const broken = ["t0", "t1", "t2", "t3", "t4"];
  const later = (file: ReportFile) => ({ ...file, run: { ...file.run, id: "later" } });

  test("case 11: a decided fall is worse, exit 1 only where a regression is a failure", async () => {
    await using cli = await project({
      "a.json": skillReport([]),
      "b.json": later(skillReport(broken, { composite: 0.63 })),
    });

    const informs = await cli.run(diff());
    const fails = await cli.run(
      diff("--fail-on-regression", "--label-a", "v1.0", "--label-b", "v2.0", "--json"),
    );

    expect(informs.exitCode).toBe(0);
    expect(informs.stdout).toMatch(/^# Before → After: 1 skill regressed\n/);
    expect(informs.stdout).toContain("↓ −0.3600, not tested");
    expect(fails.exitCode).toBe(1);
    const untested = { delta: 0, sense: "same", test: null, p: null, interval: null };
    expect(fails.document).toEqual({
      schemaVersion: 1,
      command: "report diff",
      labels: { a: "v1.0", b: "v2.0" },
      skills: [
        {
          ...{ level: "unit", suite: "coding-easy", skillId: "my_calc", model: null, arm: null },
          name: "my_calc",
          nouns: { case: ["task", "tasks"], subject: "skill" },
          verdict: "regressed",
          decidedBy: "sign-flip",
          reason: "fell by 50.0 points, more than chance explains",
          remarks: [],
          metrics: {
            completionRate: {
              ...{ a: 1, b: 0.5, delta: -0.5, sense: "worse", test: "sign-flip", p: 0.03125 },
              interval: { lower: -0.877, upper: -0.123 },
            },
            errorRate: {
              ...{ a: 0, b: 0, delta: 0, sense: "same", test: "sign-flip", p: 1 },
              interval: { lower: -0.3085, upper: 0.3085 },
            },
            latencyMs: {
              ...{ ...untested, a: 100, b: 100, ratio: 1 },
              reason: "a report does not record its machine",
            },
            latencyP95Ms: {
              ...{ ...untested, a: 100, b: 100 },
              reason: "a report does not record its machine",
            },
            compositeScore: {
              ...{ a: 0.99, b: 0.63, delta: -0.36, sense: "not-tested", test: null, p: null },
              interval: null,
              reason: "derived from other figures",
            },
          },
          main: "completionRate",
          totals: { a: { cases: 10, rate: 1 }, b: { cases: 10, rate: 0.5 } },
          paired: {
            ...{ tasks: 10, coverage: 1, decided: 1, trials: 1, meanDelta: -0.5, p: 0.03125 },
            interval: { lower: -0.877, upper: -0.123 },
            smallestDetectableDrop: 0.467,
            ...{ broken, fixed: [], shifted: [] },
            notCompared: { edited: [], onlyA: [], onlyB: [], invalid: [] },
          },
        },
      ],
      ...{ added: [], removed: [], leftOut: [], warnings: [] },
      expectedFalse: 0.05,
      isFamilyWise: false,
      failures: ["my_calc on coding-easy regressed"],
      exitCode: 1,
    });
  });

  test("the same fall is no finding where the tasks do not decide, unless the skill never varies", async () => {
    await using cli = await project({
      "a.json": skillReport([]),
      "b.json": skillReport(["t0"], { composite: 0.63 }),
    });

    const { exitCode, stdout } = await cli.run(diff("--fail-on-regression"));
    const strict = await cli.run(diff("--fail-on-regression", "--strict"));

    expect(exitCode).toBe(0);
    expect(stdout).toContain("1 skill inconclusive");
    expect(stdout).toMatch(/\| Completion +\| 100\.0% \| +90\.0% \| ↓ −10\.0 pp, no difference found \|/);
    expect(strict).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("strict: 1 task broken") });
    expect(strict.stdout).toContain("--strict with one trial per task cannot notice a skill that varies");
  });

  test("a report with itself is unchanged, exit 0", async () => {
    await using cli = await project({ "a.json": skillReport(["t1"]) });
    const itself = ["report", "diff", "a.json", "a.json"];

    const { exitCode, document } = await cli.run([...itself, "--fail-on-inconclusive", "--json"]);
    const { stdout } = await cli.run(itself);

    expect(exitCode).toBe(0);
    expect(document).toMatchObject({
      skills: [{ verdict: "unchanged", reason: "10 of 10 tasks equal" }],
      warnings: [],
      exitCode: 0,
    });
    expect(stdout).toContain("# Before → After: 1 skill unchanged\n");
    expect(stdout).toContain(
      "**= unchanged**: 10 of 10 tasks equal. A drop below 30.9 points could have gone unseen.",
    );
  });

  test("with --output the Markdown goes there, and the terminal gets the short of it", async () => {
    const containment = { level: "strict", backend: "bubblewrap", network: "none", unproven: [] } as const;
    const slower = reportFile(makeParts(broken, { composite: 0.63 }), {
      run: { id: "b", concurrency: 8, conditions: { deadline: "5000 ms" }, containment },
      tool: { name: "eval-skills", version: "1.1.0" },
      suites: [{ id: "coding-easy", level: "unit", version: "2.0.0", digest: "sha256:2", cases: 10 }],
    });
    await using cli = await project({ "a.json": skillReport([]), "b.json": slower });

    const { stdout, stderr } = await cli.run(diff("--output", "out/diff.md"));

    expect(stdout).toBe(
      [
        "my_calc  regressed  completion ↓ −50.0 pp worse",
        "  fell by 50.0 points, more than chance explains; a drop below 46.7 points could have gone unseen",
        "",
        "1 skill regressed",
        "",
      ].join("\n"),
    );
    expect(stderr).toBe(
      [
        "warning: different concurrency: Before 4, After 8; latencies do not compare",
        "warning: different containment: Before process, After strict",
        "warning: different network of skills: Before open, After none",
        "warning: different deadline: Before 30000 ms, After 5000 ms",
        "warning: different version of coding-easy: Before 1.1.0, After 2.0.0",
        "warning: different version of eval-skills: Before 1.0.0, After 1.1.0",
        "written to out/diff.md",
        "",
      ].join("\n"),
    );
    expect(cli.read("out/diff.md")).toMatch(/^# Before → After: 1 skill regressed\n.*## Warnings\n/s);
  });

  test("with --output and --json the document is on stdout besides", async () => {
    await using cli = await project({ "a.json": skillReport([]), "b.json": skillReport(broken) });

    const { document } = await cli.run(diff("--output", "diff.md", "--json"));

    expect(document.skills[0].verdict).toBe("regressed");
    expect(existsSync(join(cli.cwd, "diff.md"))).toBe(true);
  });

  test("tasks that do not pair are counted", async () => {
    await using cli = await project({
      "a.json": skillReport([]),
      "b.json": later(skillReport([], { tasks: 12 })),
    });

    const { document } = await cli.run(diff("--json"));

    expect(document.skills[0].paired.tasks).toBe(10);
    expect(document.warnings).toEqual(["my_calc on coding-easy: 2 tasks not compared: 2 only in After"]);
  });

  test("a removed skill is a regression for the gate, an added one is not", async () => {
    const both = reportFile(makeParts([]), makeParts([], { skillId: "other" }));
    await using cli = await project({ "two.json": both, "one.json": skillReport([]) });

    const removed = await cli.run([
      "report",
      "diff",
      "two.json",
      "one.json",
      "--fail-on-regression",
      "--json",
    ]);
    const added = await cli.run(["report", "diff", "one.json", "two.json", "--fail-on-regression", "--json"]);

    expect(removed.exitCode).toBe(1);
    expect(removed.document.removed).toMatchObject([{ skillId: "other", suite: "coding-easy" }]);
    expect(added.exitCode).toBe(0);
    expect(added.document.added).toMatchObject([{ skillId: "other", suite: "coding-easy" }]);
  });

  test("nothing to pair, and anything but two reports, is exit 2", async () => {
    await using cli = await project({
      "a.json": skillReport([]),
      "b.json": skillReport([], { suite: "web-search-basic" }),
      "p.json": { ...skillReport([]), run: {} },
      "e.json": reportFile(),
    });
    const fails = async (...argv: string[]) => {
      const { exitCode, document } = await cli.run(["report", "diff", ...argv, "--json"]);
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
      message: "a.json and b.json have nothing in common",
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
    await using cli = await project({ "a.json": skillReport([]), "b.json": skillReport(broken) });
    const summary = join(cli.cwd, "summary.md");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };

    const { stderr, stdout } = await cli.run(diff("--fail-on-regression"), { env });
    mkdirSync(join(cli.cwd, "folder"));
    const unwritable = await cli.run(diff("--json"), {
      env: { ...env, GITHUB_STEP_SUMMARY: join(cli.cwd, "folder") },
    });

    expect(stderr).toMatch(/^::error title=my_calc regressed on coding-easy::completion ↓ −50\.0 pp worse/);
    expect(readFileSync(summary, "utf8")).toBe(`${stdout}\n`);
    expect(unwritable.exitCode).toBe(0);
    expect(unwritable.document.command).toBe("report diff");
    expect(unwritable.stderr).toContain("warning: cannot write the job summary");
  });
});

describe("report show", () => {
  const ids = Array.from({ length: 30 }, (_, n) => `t${n}`);
  const report = reportFile(
    makeParts(ids, { tasks: 30 }),
    makeParts(["t29"], { tasks: 30, skillId: "other" }),
  );

  test("prints everything that did not pass, of all subjects or of one", async () => {
    await using cli = await project({ "r.json": report });

    const all = await cli.run(["report", "show", "r.json"]);
    const one = await cli.run(["report", "show", "r.json", "--subject", "other"]);

    expect(all.exitCode).toBe(0);
    for (const id of ids) expect(all.stdout).toMatch(new RegExp(`\\b${id}\\b`));
    expect(all.stdout).toMatch(/31 of 60 failed[^\n]*\n$/);
    expect(one.stdout).toMatch(/\bt29\b/);
    expect(one.stdout).not.toMatch(/my_calc|\bt3\b/);
  });

  test("prints all of one case, passed or not, and its cells with --json", async () => {
    await using cli = await project({ "r.json": report });
    const show = (...argv: string[]) => cli.run(["report", "show", "r.json", ...argv]);

    const { stdout, exitCode } = await show("--case", "t29");
    expect(exitCode).toBe(0);
    expect(stdout.match(/^[✓✗] \S+\/t29/gm)).toHaveLength(2);
    expect(stdout).not.toMatch(/\bt3\b/);
    const { cells } = (await show("--case", "t29", "--json")).document;
    expect(cells.map(({ caseId }: { caseId: string }) => caseId)).toEqual(["t29", "t29"]);
    expect(await show("--case", "t2x")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/no case "t2x"\n.*t2/),
    });
    expect(await show("--case", "t2", "--subject", "other")).toMatchObject({ exitCode: 2 });
  });

  test("prints the document with --json, and what is not a report is exit 2", async () => {
    await using cli = await project({ "r.json": report, "bare.json": [] });

    expect((await cli.run(["report", "show", "r.json", "--json"])).document).toEqual(report);
    expect(await cli.run(["report", "show", "bare.json", "--json"])).toMatchObject({
      exitCode: 2,
      document: { error: { code: "report-invalid" } },
    });
    expect(await cli.run(["report", "show", "r.json", "--subject", "othr"])).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/othr.*\n.*other/),
    });
  });
});

test("every command of report has help with examples", async () => {
  await using cli = await capturedCli();
  for (const command of [["report"], ["report", "show"], ["report", "convert"], ["report", "diff"]]) {
    const { exitCode, stdout } = await cli.run([...command, "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Usage: eval-skills report.*Examples:\n {2}\$ eval-skills report /s);
  }
  expect((await cli.run(["report"])).exitCode).toBe(2);
});
