import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { carrySessionOut } from "../src/cli/carry-session-out.ts";
import { commandIo } from "../src/cli/command-io.ts";
import type { CellResult } from "../src/contract/result.ts";
import { compareReports } from "../src/run/compare-reports.ts";
import { convertReport } from "../src/run/convert-report.ts";
import { formatsFor } from "../src/run/formats.ts";
import type { GateRule } from "../src/run/gates.ts";
import { readHistory } from "../src/run/read-history.ts";
import { type RunOutput, runLevels } from "../src/run/run-levels.ts";
import { prepareOutputFolder } from "../src/run/write-reports.ts";
import { readReport } from "../src/spec/read-report.ts";
import { openSqliteHistory } from "../src/store/open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { type ToyPlan, toyLevel, toySessions } from "./toy-level.ts";

const levels = [toyLevel];

async function toyProject() {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const gate: GateRule = {
    level: "toy",
    metric: "completionRate",
    on: "point",
    op: ">=",
    threshold: 0.9,
    enforced: true,
    scope: "subject",
  };
  return {
    at,
    calls: () => (existsSync(at("calls")) ? readFileSync(at("calls"), "utf8").trim().split("\n") : []),
    plan: (words: string[], changes: Partial<ToyPlan> = {}): ToyPlan => ({
      words,
      trials: 1,
      pauseMs: 0,
      calls: at("calls"),
      asked: {},
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
      allowInvalid: false,
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
  { resume, maxJsonChars }: { resume?: string; maxJsonChars?: number } = {},
) {
  await using session =
    resume === undefined
      ? await toySessions.begin(plan, project.context)
      : await toySessions.resume(resume, project.context);
  prepareOutputFolder(project.at(outputDir));
  let running = 0;
  let most = 0;
  const end = await runLevels(session, project.output(outputDir), {
    formats: await formatsFor(["json", "ndjson"], null),
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
  const plan = project.plan(["anna", "otto", "bob", "not", "level"], { trials: 2, pauseMs: 20 });

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
  const again = await convertReport("a/eval-result.ndjson", "json", project.at(""), levels);
  expect([...again()].join("")).toBe(readFileSync(project.at("a/eval-result.json"), "utf8"));
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
  await runToy(project, project.plan(words, { trials: 3 }), "a");
  await runToy(project, project.plan(words, { trials: 3 }), "b");

  const { diff } = compareReports(
    {
      a: "a/eval-result.json",
      b: "b/eval-result.ndjson",
      labels: { a: "before", b: "after" },
      seed: 0,
      isStrict: false,
      failOnRegression: true,
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
        verdict: "inconclusive",
        reason: "no word changed",
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

test("the command frame shows it, as lines and as the one document", async () => {
  await using project = await toyProject();
  const order = {
    command: "toy",
    sessions: toySessions,
    context: project.context,
    plan: () => project.plan(["anna", "not"]),
    output: { ...project.output("out"), formats: ["json" as const] },
    kind: null,
    telemetry: { mode: "off" as const, sqlitePath: project.at("telemetry.sqlite3") },
    otlp: null,
    announce: () => {},
  };
  const said = { text: "" };
  const sink = {
    write(text: string) {
      said.text += text;
    },
    on: () => {},
  };
  const world = {
    cwd: project.at(""),
    home: project.at(""),
    env: {},
    stdout: sink,
    stderr: { ...sink, write: () => {} },
  };

  const globals = { verbose: false, color: false };
  expect(await carrySessionOut(order as never, commandIo(world, { ...globals, json: false }, "toy"))).toBe(1);
  expect(said.text).toContain("mirror on palindromes: 1 of 2 passed");
  said.text = "";
  expect(await carrySessionOut(order as never, commandIo(world, { ...globals, json: true }, "toy"))).toBe(1);
  expect(JSON.parse(said.text)).toMatchObject({ schemaVersion: 2, passed: 1, total: 2 });
});

test("no file but the test knows its name", () => {
  const root = fileURLToPath(new URL("../src", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  expect(files.filter((name) => /"toy"|toyLevel/.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
