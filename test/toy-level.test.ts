import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { expect, test } from "vitest";
import { runLevelCommand } from "../src/cli/commands/level-command.ts";
import { commandIo } from "../src/cli/io/command-io.ts";
import { addAction, declareCommand, readGlobalFlags, type Start } from "../src/cli/io/declare-command.ts";
import { type ReportFormat, reportFormats } from "../src/contract/format.ts";
import { settledOptions, storedOptions } from "../src/contract/option-table.ts";
import type { CellResult } from "../src/contract/result.ts";
import type { GateRule } from "../src/engine/gates.ts";
import { commonOutput } from "../src/engine/request.ts";
import { type RunOutput, runLevels } from "../src/engine/run-levels.ts";
import { prepareOutputFolder } from "../src/engine/write-reports.ts";
import { compareReports } from "../src/operations/report/compare-reports.ts";
import { convertReport } from "../src/operations/report/convert-report.ts";
import { readHistory } from "../src/operations/report/read-history.ts";
import { readReport } from "../src/report/convert/read-report.ts";
import { jsonFormat } from "../src/report/formats/json.ts";
import { formatTable, loadFormats } from "../src/report/formats/load-formats.ts";
import { systemClock } from "../src/shared/async/clock.ts";
import { openSqliteHistory } from "../src/store/open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { type ToyPlan, toyLevel, toySessions, toyTable } from "./toy-level.ts";
import { withoutTelemetry } from "./without-telemetry.ts";

const levels = [toyLevel];

const gate: GateRule = {
  level: "toy",
  metric: "completionRate",
  on: "point",
  op: ">=",
  threshold: 0.9,
  enforced: true,
  scope: "subject",
};

async function toyProject() {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  return {
    at,
    calls: () => (existsSync(at("calls")) ? readFileSync(at("calls"), "utf8").trim().split("\n") : []),
    plan: (words: string[], changes: Partial<ToyPlan> = {}): ToyPlan => ({
      cwd: "/",
      ...settledOptions(toyTable, "plan", { words, calls: at("calls") }),
      storedOptions: {},
      ...changes,
    }),
    context: { storePath: at("store.db"), version: "1.2.3", exclude: [] },
    output: (outputDir: string, changes: Partial<RunOutput> = {}): RunOutput => ({
      command: "toy",
      reportName: "eval-result",
      concurrency: 3,
      outputDir: at(outputDir),
      store: "./store.db",
      evalLog: null,
      gates: () => [gate],
      maxInvalid: 0,
      familyWise: false,
      budget: null,
      ...changes,
    }),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

type Project = Awaited<ReturnType<typeof toyProject>>;

async function runToy(
  project: Project,
  plan: ToyPlan,
  outputDir: string,
  {
    resume,
    maxJsonChars,
    formats = ["json", "ndjson"],
  }: { resume?: string; maxJsonChars?: number; formats?: readonly ReportFormat[] } = {},
) {
  await using session =
    resume === undefined
      ? await toySessions.begin(plan, project.context)
      : await toySessions.resume(resume, plan, project.context);
  prepareOutputFolder(project.at(outputDir));
  let running = 0;
  let most = 0;
  const end = await runLevels(session, project.output(outputDir), {
    formats: await loadFormats(formats),
    clock: systemClock,
    random: () => 0,
    signal: new AbortController().signal,
    listeners: [
      (event) => {
        if (event.type === "attempt-started") most = Math.max(most, ++running);
        if (event.type === "attempt-ended") running--;
      },
    ],
    version: "1.2.3",
    cwd: project.at(""),
    env: {},
    maxJsonChars,
  });
  if (end.state !== "done") throw new Error("the run was interrupted");
  const cells = [...end.cells()].map((text) => JSON.parse(text) as CellResult);
  return { report: end.report, cells, most, runId: session.run.id };
}

test("a level of sixty lines is planned, run in parallel, gated and written as json and ndjson", async () => {
  expect(readFileSync(new URL("./toy-level.ts", import.meta.url), "utf8").split("\n").length).toBeLessThan(
    62,
  );
  await using project = await toyProject();
  const plan = project.plan(["anna", "otto", "bob", "not", "level"], { runs: 2, pauseMs: 20 });

  const { report, cells, most } = await runToy(project, plan, "a");

  expect(most).toBe(3);
  expect(project.calls()).toHaveLength(10);
  expect(
    cells.map(({ level, caseId, trial, status, details }) => [level, caseId, trial, status, details]),
  ).toContainEqual(["toy", "not", 2, "fail", { letters: 3 }]);
  expect(report).toMatchObject({
    passed: 8,
    total: 10,
    exitCode: 1,
    suites: [{ id: "palindromes", level: "toy", cases: 5 }],
    subjects: [{ skillId: "mirror", level: "toy", metrics: { completionRate: { value: 0.8, n: 10 } } }],
    gates: [{ metric: "completionRate", threshold: 0.9, value: 0.8, passed: false, enforced: true }],
  });
  for (const name of ["eval-result.json", "eval-result.ndjson"]) {
    const read = readReport(project.at(`a/${name}`), levels);
    expect(read.report).toEqual({ ...report, cases: [...report.cases] });
    expect([...read.cells()].map((text) => JSON.parse(text))).toEqual(cells);
  }
  const again = convertReport("a/eval-result.ndjson", jsonFormat, project.at(""), { levels });
  expect([...again()].join("")).toBe(readFileSync(project.at("a/eval-result.json"), "utf8"));
});

test("every format shows it, without knowing what it is", async () => {
  await using project = await toyProject();
  const plan = project.plan(["anna", "otto", "bob", "not", "level"], { runs: 2 });

  const { report } = await runToy(project, plan, "a", { formats: reportFormats });

  const text = (name: string) => readFileSync(project.at(`a/eval-result.${name}`), "utf8");
  for (const format of reportFormats) {
    const { extension } = await formatTable[format]();
    expect(text(extension)).toContain("mirror");
    const again = convertReport("a/eval-result.json", await formatTable[format](), project.at(""), {
      levels,
    });
    expect([...again()].join("")).toBe(text(extension));
  }
  expect(report.files.filter((file) => !file.includes("-2"))).toHaveLength(reportFormats.length);
  for (const extension of ["md", "html", "github.md", "txt"])
    expect(text(extension)).toContain("2 of 10 failed");
  expect(text("md")).toMatch(/palindromes[\s\S]* 80\.0%/i);
  expect(text("txt").trimEnd().split("\n").at(-1)).toContain("2 of 10 failed");
  expect(text("csv").split("\r\n")[0]).toContain("subject,caseId,trial,status");
  expect(text("csv").match(/,fail,/g)).toHaveLength(2);
  expect(text("xml").match(/<testcase [^>]*name="not[^>]*>\s*<failure/g)).toHaveLength(2);
  expect(JSON.parse(text("sarif")).runs[0].results).toHaveLength(1);
});

test("killed in its midst and resumed, every word is executed that had no verdict, and none twice that had one", async () => {
  await using project = await toyProject();
  const words = Array.from({ length: 30 }, (_, n) => `w${n}w`);
  const plan = project.plan(words, { pauseMs: 40 });
  const request = JSON.stringify({
    plan,
    context: project.context,
    output: { ...project.output("out"), concurrency: 2 },
  });
  const program = fileURLToPath(new URL("./fixtures/toy-process.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, request], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const shown: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    shown.push(line);
    if (shown.length === 6) child.kill("SIGKILL");
  }
  if (child.signalCode === null) await once(child, "exit");
  const before = project.calls();

  const { cells } = await runToy(project, plan, "out", { resume: await newestRun(project) });

  expect(shown.length).toBeGreaterThanOrEqual(6);
  expect(cells.map(({ caseId }) => caseId).sort()).toEqual([...words].sort());
  const after = project.calls().slice(before.length);
  for (const word of shown) expect(after).not.toContain(word);
  expect(new Set([...shown, ...after]).size).toBe(30);
});

test("a document that nobody could read back is written as ndjson, with a warning", async () => {
  await using project = await toyProject();

  const { report } = await runToy(project, project.plan(["anna"]), "a", { maxJsonChars: 10 });

  expect(report.warnings).toEqual([
    "the report is too large for one JSON document and was written as ndjson",
  ]);
  expect(readdirSync(project.at("a")).filter((name) => !name.includes("-2"))).toEqual(["eval-result.ndjson"]);
});

async function newestRun(project: Project): Promise<string> {
  return (await toySessions.toResume(null, project.context.storePath)).runId;
}

test("report diff and history know it by its own description", async () => {
  await using project = await toyProject();
  const words = ["anna", "otto", "bob", "level", "noon"];
  await runToy(project, project.plan(words, { runs: 3 }), "a");
  await runToy(project, project.plan(words, { runs: 3 }), "b");

  const { diff } = compareReports(
    {
      a: "a/eval-result.json",
      b: "b/eval-result.ndjson",
      labels: { a: "before", b: "after" },
      seed: 0,
      isStrict: false,
      isFamilyWise: false,
      margin: 0.05,
      minCoverage: () => 0.8,
      failOnRegression: true,
      failOnInconclusive: false,
      failOnSlower: false,
      failOnErrors: false,
      failOnCost: false,
      cwd: project.at(""),
    },
    levels,
  );
  expect(diff).toMatchObject({
    exitCode: 0,
    skills: [
      {
        level: "toy",
        suite: "palindromes",
        name: "mirror",
        verdict: "unchanged",
        reason: "5 of 5 words equal",
      },
    ],
  });

  const history = await openSqliteHistory(project.context.storePath);
  if (history === null) throw new Error("there is no store");
  await using _ = history;
  const { rows } = await readHistory(history, { limit: 10 }, levels);
  expect(rows).toMatchObject([
    { level: "toy", suite: "palindromes", subject: "mirror", trials: 3, rate: 1, deltaRate: 0 },
    { rate: 1, deltaRate: null },
  ]);
});

/** The command of the level, made of its table: what was printed, and the exit code. */
async function toyCommand(project: Project, ...argv: string[]) {
  const written = { stdout: "", stderr: "", exitCode: 0 };
  const sink = (name: "stdout" | "stderr") => ({
    write(text: string) {
      written[name] += text;
    },
    on: () => {},
  });
  const folder = project.at("");
  const context = { cwd: folder, home: folder, env: withoutTelemetry };
  const start: Start = async (command, run) => {
    const io = { ...context, stdout: sink("stdout"), stderr: sink("stderr") };
    written.exitCode = await run(commandIo(io, readGlobalFlags(command), "toy"));
  };
  const program = new Command().exitOverride().configureOutput({ writeOut: sink("stdout").write });
  const command = declareCommand(program, "toy", "Are these words palindromes?", ["eval-skills toy anna"]);
  addAction(command.exitOverride(), toyTable, start, (options, io) =>
    runLevelCommand(
      {
        ...{ command: "toy", table: toyTable, sessions: toySessions, context: (facts) => facts },
        plan: (typed, _, cwd) => ({
          ...settledOptions(toyTable, "plan", typed),
          cwd,
          storedOptions: storedOptions(toyTable, typed, cwd),
        }),
        output: (typed, loaded, cwd) => ({
          ...{ ...commonOutput(typed, loaded, cwd), command: "toy", reportName: "eval-result" },
          gates: () => [gate],
        }),
        dryRun: async () => 0,
        announce: () => {},
      },
      options,
      io,
    ),
  );
  await program.parseAsync(["toy", ...argv], { from: "user" }).catch((error: Error) => {
    if (!argv.includes("--help")) throw error;
  });
  return written;
}

test("its flags, their help, the stored plan and what --resume refuses come from its table", async () => {
  await using project = await toyProject();
  const calls = ["--calls", project.at("calls")];

  const { exitCode, stdout } = await toyCommand(project, "anna", "not", "--runs", "2", ...calls);
  expect(exitCode).toBe(1);
  expect(stdout.trimEnd().split("\n").at(-1)).toContain("2 of 4 failed");
  expect(readdirSync(project.at("reports")).filter((name) => !name.includes("-2"))).toEqual([
    ".eval.jsonl",
    "eval-result.json",
    "eval-result.md",
  ]);

  const { run } = JSON.parse(readFileSync(project.at("reports/eval-result.json"), "utf8"));
  const again = await toyCommand(project, "--resume", run.id, "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({
    schemaVersion: 2,
    passed: 2,
    total: 4,
    run: { trials: 2 },
  });
  expect(project.calls()).toHaveLength(4);

  await expect(toyCommand(project, "--resume", run.id, "--pause", "5")).rejects.toThrow(
    "--pause cannot be used with --resume",
  );
  await expect(toyCommand(project, "anna", "--pause", "-1")).rejects.toThrow("--pause");
  await expect(toyCommand(project)).rejects.toThrow("needs at least one of <words...>");
  const { stdout: help } = await toyCommand(project, "--help");
  for (const words of [
    "[words...]",
    "--pause <ms>",
    "time per word (default: 0)",
    "--resume [runId]",
    "--format",
  ])
    expect(help).toContain(words);
});

test("no file but the test knows its name", () => {
  const root = fileURLToPath(new URL("../src", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  expect(files.filter((name) => /"toy"|toyLevel/.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
