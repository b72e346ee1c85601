import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type EvalProject, evalProject, isRunning, task } from "../../test/eval-project.ts";
import type { RunEvent } from "../contract/event.ts";
import type { Rendered } from "../contract/format.ts";
import { type CellResult, parseCell } from "../contract/result.ts";
import { evalOutput, type OutputOptions, type PlanOptions } from "../operations/eval/request.ts";
import { type EvalSession, evalSessions } from "../operations/eval/session.ts";
import { jsonFormat } from "../report/formats/json.ts";
import { systemClock } from "../shared/async/clock.ts";
import { collectPages } from "../shared/async/each-of.ts";
import { openDatabase, type Row } from "../shared/files/sqlite-driver.ts";
import { Interrupted } from "./interrupted.ts";
import { type RunEnd, runLevels } from "./run-levels.ts";

interface RunChanges {
  plan?: Partial<PlanOptions>;
  output?: Partial<OutputOptions>;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  hear?: (event: RunEvent, session: EvalSession) => void;
  /** Resumes this run, or the newest where it is null. */
  resume?: string | null;
}

/** A run from its session to its end, with its events. */
async function evaluate(project: EvalProject, changes: RunChanges = {}) {
  const { env = process.env, hear, resume } = changes;
  const context = project.context({ env });
  await using session =
    resume === undefined
      ? await evalSessions.begin(project.plan(changes.plan), context)
      : await evalSessions.resume(resume, project.plan(changes.plan), context);
  const events: RunEvent[] = [];
  const end = await runLevels(session, evalOutput(project.output(changes.output)), {
    formats: [jsonFormat],
    clock: systemClock,
    random: () => 0,
    signal: changes.signal ?? new AbortController().signal,
    listeners: [(event) => void events.push(event), (event) => hear?.(event, session)],
    version: "1.2.3",
    cwd: project.at(""),
    env,
  });
  const texts = await collectPages(session.store.results(session.run.id, { subject: "obedient" }));
  const cells = texts.map(parseCell);
  return { end, events, cells, runId: session.run.id };
}

function reportOf(end: RunEnd): Rendered {
  if (end.state !== "done") throw new Error("the run was interrupted");
  return end.report;
}

function statuses(cells: readonly CellResult[]): Record<string, string> {
  return Object.fromEntries(cells.map(({ caseId, status }) => [caseId, status]));
}

async function rows(path: string, sql: string): Promise<Row[]> {
  const database = await openDatabase(path);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

test("a run calls every cell once, keeps every result and reports over all of them", async () => {
  await using project = await evalProject([
    task("right"),
    task("wrong", { answer: 41 }),
    task("broken", { crash: true }),
    task("late", { until: "/never" }, { timeoutMs: 1500 }),
  ]);

  const { end, cells, runId } = await evaluate(project, { plan: { runs: 2 } });

  const report = reportOf(end);
  expect(report).toMatchObject({
    passed: 2,
    total: 8,
    exitCode: 0,
    run: { id: runId, command: "eval", trials: 2, concurrency: 2 },
  });
  expect(report.subjects).toMatchObject([
    {
      level: "unit",
      suite: "bench",
      skillId: "obedient",
      trials: 2,
      counts: { total: 8, pass: 2, fail: 2, error: 2, timeout: 2, invalid: 0 },
      metrics: { completionRate: { value: 0.25, better: "up" }, errorRate: { value: 0.5, better: "down" } },
    },
  ]);
  expect(cells.map(({ caseId, trial, status }) => `${trial} ${caseId} ${status}`)).toEqual([
    "1 right pass",
    "1 wrong fail",
    "1 broken error",
    "1 late timeout",
    "2 right pass",
    "2 wrong fail",
    "2 broken error",
    "2 late timeout",
  ]);
  const called = project.called().filter((name) => name !== "late"); // a busy machine may end it before its first line
  expect(called.sort()).toEqual(["broken", "broken", "right", "right", "wrong", "wrong"]);
  expect(project.pids().filter(isRunning)).toEqual([]);
});

test("the store holds the run, its cells, its attempts and its report", async () => {
  await using project = await evalProject([task("right"), task("broken", { crash: true })]);

  const { runId } = await evaluate(project, { plan: { retries: 1 } });

  expect(await rows(project.store, "SELECT id, state, tool_version, owner FROM runs")).toEqual([
    { id: runId, state: "done", tool_version: "1.2.3", owner: null },
  ]);
  expect(
    await rows(project.store, "SELECT case_id, status, score, trial FROM results ORDER BY position"),
  ).toEqual([
    { case_id: "right", status: "pass", score: 1, trial: 1 },
    { case_id: "broken", status: "error", score: 0, trial: 1 },
  ]);
  expect(await rows(project.store, "SELECT count(*) AS n FROM cells_started")).toEqual([{ n: 3 }]);
  const [report] = await rows(project.store, "SELECT * FROM reports");
  expect(report).toMatchObject({
    run_id: runId,
    level: "unit",
    suite: "bench",
    subject: "obedient",
  });
  expect(JSON.parse(report?.data as string)).toMatchObject({
    skillVersion: "1.0.0",
    counts: { pass: 1, error: 1 },
  });
});

test("report files and the line log are written", async () => {
  await using project = await evalProject([task("right"), task("wrong", { answer: 0 })]);

  const { end } = await evaluate(project);

  const { files } = reportOf(end);
  expect(files).toEqual([expect.stringMatching(/^out\/eval-result-.*Z\.json$/), "out/eval-result.json"]);
  const [dated, stable] = files.map((file) => readFileSync(project.at(file), "utf8"));
  expect(dated).toBe(stable);
  const written = JSON.parse(stable ?? "");
  expect(written).toMatchObject({ schemaVersion: 2, run: { command: "eval" }, passed: 1, total: 2 });
  expect(written.cells).toHaveLength(2);
  const lines = readFileSync(project.at("out/.eval.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).verdict).sort()).toEqual(["fail", "pass"]);
});

test("events come in order, from the start to the end", async () => {
  await using project = await evalProject([task("right")]);

  const { events, runId } = await evaluate(project);

  expect(events.map(({ type }) => type)).toEqual([
    "run-started",
    "attempt-started",
    "attempt-ended",
    "cell-ended",
    "run-ended",
  ]);
  expect(events[0]).toMatchObject({ runId, cells: 1, alreadyDone: 0 });
});

test("an interrupted run leaves no process, and its resumption runs every other cell exactly once", async () => {
  await using project = await evalProject((at) => [
    task("one"),
    task("two"),
    ...["three", "four"].map((name) => task(name, { until: at("gate") })),
    task("five"),
  ]);
  const stop = new AbortController();
  const hanging = Promise.all([project.untilCalledFor("three"), project.untilCalledFor("four")]);
  void hanging.then(() => stop.abort(new Interrupted("SIGINT")));

  const first = await evaluate(project, { signal: stop.signal });

  expect(first.end).toEqual({ state: "interrupted", signal: "SIGINT" });
  expect(first.events.at(-1)).toEqual({ type: "run-ended", state: "interrupted" });
  expect(statuses(first.cells)).toEqual({ one: "pass", two: "pass" });
  expect(project.pids().filter(isRunning)).toEqual([]);
  expect(await rows(project.store, "SELECT state, owner FROM runs")).toEqual([
    { state: "interrupted", owner: null },
  ]);
  expect(existsSync(project.at("out/eval-result.json"))).toBe(false);

  project.write("gate", "");
  const second = await evaluate(project, { resume: null });

  expect(second.runId).toBe(first.runId);
  expect(second.events[0]).toMatchObject({ cells: 5, alreadyDone: 2 });
  expect(reportOf(second.end)).toMatchObject({ passed: 5, total: 5, exitCode: 0 });
  expect(project.called().sort()).toEqual(["five", "four", "four", "one", "three", "three", "two"]);
  const attempts = Object.fromEntries(
    second.cells.map(({ caseId, attempts: all }) => [caseId, all.map(({ n, status }) => `${n} ${status}`)]),
  );
  expect(attempts).toEqual({
    one: ["1 answered"],
    two: ["1 answered"],
    three: ["1 interrupted", "2 answered"],
    four: ["1 interrupted", "2 answered"],
    five: ["1 answered"],
  });
});

test("an interruption ends a scorer's process too, and the cell is scored when the run is resumed", async () => {
  const custom = { type: "custom", customScorerPath: "./scorer.mjs", timeoutMs: 15_000 };
  await using project = await evalProject([task("one", {}, { evaluator: custom })]);
  const files = { pid: project.at("pid"), gate: project.at("gate") };
  project.write(
    "scorer.mjs",
    `import { existsSync, writeFileSync } from "node:fs";
    export default ({ output }) => {
      if (output !== 42) return false;
      if (existsSync(${JSON.stringify(files.gate)})) return true;
      writeFileSync(${JSON.stringify(files.pid)}, String(process.pid));
      return new Promise(() => setInterval(() => {}, 1000));
    };`,
  );
  const stop = new AbortController();
  const poll = setInterval(() => {
    if (existsSync(files.pid) && readFileSync(files.pid, "utf8") !== "")
      stop.abort(new Interrupted("SIGINT"));
  }, 10);

  const first = await evaluate(project, { signal: stop.signal });
  clearInterval(poll);

  expect(first.end).toEqual({ state: "interrupted", signal: "SIGINT" });
  expect(first.cells).toEqual([]);
  expect(isRunning(Number(readFileSync(files.pid, "utf8")))).toBe(false);

  writeFileSync(files.gate, "");
  const second = await evaluate(project, { resume: null });
  expect(reportOf(second.end)).toMatchObject({ passed: 1, total: 1, exitCode: 0 });
});

test("a run that was interrupted before it began can be resumed", async () => {
  await using project = await evalProject([task("one")]);

  const first = await evaluate(project, { signal: AbortSignal.abort(new Interrupted("SIGTERM")) });
  const second = await evaluate(project, { resume: first.runId });

  expect(first.end).toEqual({ state: "interrupted", signal: "SIGTERM" });
  expect(reportOf(second.end)).toMatchObject({ passed: 1, total: 1 });
  expect(project.called()).toEqual(["one"]);
});

test("a run that is interrupted twice is finished by the third try", async () => {
  await using project = await evalProject(["one", "two", "three"].map((name) => task(name)));
  const untilFirstEnd = () => {
    const stop = new AbortController();
    const hear = ({ type }: RunEvent) =>
      void (type === "attempt-ended" && stop.abort(new Interrupted("SIGINT")));
    return { signal: stop.signal, hear, output: { concurrency: 1 } };
  };

  await evaluate(project, untilFirstEnd());
  await evaluate(project, { ...untilFirstEnd(), resume: null });
  const { end } = await evaluate(project, { resume: null });

  expect(reportOf(end)).toMatchObject({ passed: 3, total: 3 });
  expect(project.called()).toEqual(["one", "two", "three"]);
});

test("a killed process loses nothing it reported, and its resumption repeats none of it", async () => {
  const names = Array.from({ length: 24 }, (_, n) => `task-${n}`);
  await using project = await evalProject(names.map((name) => task(name)));
  project.perCall(); // slow enough to be killed midway
  const program = fileURLToPath(new URL("../../test/fixtures/run-process.ts", import.meta.url));
  const { plan, context, output, store } = project;
  const request = JSON.stringify({ plan: plan(), context: context(), output: output(), store });
  const runner = spawn(process.execPath, ["--import", "tsx", program, request], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const reported: string[] = [];
  for await (const name of createInterface(runner.stdout)) {
    if (reported.push(name) === 5) runner.kill("SIGKILL");
  }
  if (runner.exitCode === null && runner.signalCode === null) await once(runner, "exit");

  const calledBefore = project.called();
  const { end, cells } = await evaluate(project, { resume: null });

  expect(reported.length).toBeLessThan(names.length);
  expect(reportOf(end)).toMatchObject({ passed: 24, total: 24 });
  expect(cells.map(({ caseId }) => caseId)).toEqual(names);
  const calledAgain = project.called().slice(calledBefore.length);
  expect(calledAgain.filter((name) => reported.includes(name ?? ""))).toEqual([]);
  for (const { caseId, attempts } of cells.filter(({ caseId: id }) => calledAgain.includes(id))) {
    const began = calledBefore.includes(caseId) ? ["interrupted", "answered"] : ["answered"];
    expect(attempts.map(({ status }) => status).slice(-began.length)).toEqual(began);
  }
});

test("invalid cells are run again, and only they", async () => {
  await using project = await evalProject([
    task("fine"),
    task("unscored", {}, { evaluator: { type: "custom", customScorerPath: "./scorer.mjs" } }),
  ]);
  const gate = project.at("gate");
  project.write(
    "scorer.mjs",
    `import { existsSync } from "node:fs";
    export default ({ output }) => {
      if (output === 42 && !existsSync(${JSON.stringify(gate)})) throw new Error("not yet");
      return output === 42;
    };`,
  );

  const first = await evaluate(project);
  expect(statuses(first.cells)).toEqual({ fine: "pass", unscored: "invalid" });
  expect(reportOf(first.end)).toMatchObject({ total: 1, exitCode: 3 });

  writeFileSync(gate, "");
  const second = await evaluate(project, { resume: null });

  expect(second.runId).toBe(first.runId);
  expect(statuses(second.cells)).toEqual({ fine: "pass", unscored: "pass" });
  expect(reportOf(second.end)).toMatchObject({ passed: 2, total: 2, exitCode: 0 });
  expect(project.called()).toEqual(expect.arrayContaining(["fine", "unscored", "unscored"]));
  expect(project.called()).toHaveLength(3);
  expect(second.cells[1]?.attempts.map(({ n, status }) => [n, status])).toEqual([
    [1, "answered"],
    [2, "answered"],
  ]);
});

test("resuming a complete run calls nothing and writes the reports again", async () => {
  await using project = await evalProject([task("right"), task("wrong", { answer: 1 })]);
  const first = await evaluate(project);

  const second = await evaluate(project, { resume: first.runId });

  expect(project.called()).toHaveLength(2);
  expect(second.events.map(({ type }) => type)).toEqual(["run-started", "run-ended"]);
  const [before, after] = [reportOf(first.end), reportOf(second.end)];
  expect(after.subjects).toEqual(before.subjects);
  expect([...after.cases]).toEqual([...before.cases]);
  expect(readdirSync(project.at("out")).filter((name) => name.startsWith("eval-result-"))).toHaveLength(2);
});

test("fault row 49: a skill that is edited during a run is not called any more: the cell it answered then and later ones are invalid", async () => {
  await using project = await evalProject(["one", "two", "three"].map((name) => task(name)));
  project.perCall();
  const hear = ({ type }: RunEvent) => {
    if (type === "attempt-ended" && project.called().length === 2)
      appendFileSync(project.at("skill/skill.mjs"), "//");
  };

  const { end, cells } = await evaluate(project, { hear, output: { concurrency: 1 } });

  expect(statuses(cells)).toEqual({ one: "pass", two: "invalid", three: "invalid" });
  expect(cells.map(({ cause }) => cause)).toEqual([null, "skill-changed", "skill-changed"]);
  expect(cells[1]?.attempts).toMatchObject([{ n: 1, status: "invalid", code: "skill-changed" }]);
  expect(project.called()).toEqual(["one", "two"]);
  expect(reportOf(end).exitCode).toBe(3);
});

test("a run over a changed skill cannot be resumed until the skill is what it was", async () => {
  await using project = await evalProject(["one", "two"].map((name) => task(name)));
  project.perCall();
  const original = readFileSync(project.at("skill/skill.mjs"), "utf8");
  const hear = ({ type }: RunEvent) =>
    void (
      type === "attempt-ended" &&
      project.called().length === 2 &&
      writeFileSync(project.at("skill/skill.mjs"), `${original}//`)
    );
  const first = await evaluate(project, { hear, output: { concurrency: 1 } });

  const tooEarly = evaluate(project, { resume: first.runId });
  await expect(tooEarly).rejects.toMatchObject({ code: "usage", exitCode: 2 });
  await expect(tooEarly).rejects.toThrow("skill obedient");
  expect(project.called()).toEqual(["one", "two"]);

  writeFileSync(project.at("skill/skill.mjs"), original);
  const { end } = await evaluate(project, { resume: null });
  expect(reportOf(end)).toMatchObject({ passed: 2, total: 2, exitCode: 0 });
  expect(project.called()).toEqual(["one", "two", "two"]);
});

test("a store that fails in the middle stops the run with its error, and nothing is left running", async () => {
  await using project = await evalProject((at) => [
    task("hangs", { until: "/never" }),
    task("ends", { until: at("go") }),
    task("later"),
  ]);
  const broken = project.untilCalledFor("hangs").then(async () => {
    const database = await openDatabase(project.store);
    database.exec("DROP TABLE cells_started; DROP TABLE results");
    database.close();
    project.write("go", "");
  });

  const began = performance.now();
  const run = evaluate(project, { plan: { timeoutMs: 15_000, retries: 1 }, output: { concurrency: 3 } });

  await expect(run).rejects.toMatchObject({ code: "store-unusable", path: project.store });
  await broken;
  expect(performance.now() - began).toBeLessThan(14_000);
  expect(project.pids().filter(isRunning)).toEqual([]);
  expect(existsSync(project.at("out/eval-result.json"))).toBe(false);
});

test("a secret handed to a skill reaches no store, no log and no report; the scorer saw it", async () => {
  const secret = "s3cret-value-of-the-user";
  await using project = await evalProject([
    { ...task("leak", { variable: "MY_TOKEN" }), expectedOutput: { value: secret } },
  ]);

  const { cells, events } = await evaluate(project, {
    plan: { envKeys: ["MY_TOKEN"] },
    env: { ...process.env, MY_TOKEN: secret },
  });

  expect(cells).toMatchObject([{ status: "pass", output: "[redacted]" }]);
  expect(JSON.stringify(events)).not.toContain(secret);
  const files = ["store.db", "out/eval-result.json", "out/.eval.jsonl"].map((name) => project.at(name));
  for (const file of files) expect(readFileSync(file, "latin1")).not.toContain(secret);
});

test("a listener that throws does not change the report", async () => {
  await using project = await evalProject([task("one"), task("two")]);

  const { end } = await evaluate(project, {
    hear: () => {
      throw new Error("bad listener");
    },
  });

  expect(reportOf(end)).toMatchObject({ passed: 2, total: 2 });
});

test.each([
  ["a gate that is not met fails", { exitOnFail: true, minCompletion: 0.8 }, 1],
  ["a gate that nobody enforces is only reported", { exitOnFail: false, minCompletion: 0.8 }, 0],
  ["a gate that is met passes", { exitOnFail: true, minCompletion: 0.5 }, 0],
])("%s", async (_, output, exitCode) => {
  await using project = await evalProject([task("right"), task("wrong", { answer: 0 })]);

  const { end } = await evaluate(project, { output });

  expect(reportOf(end).exitCode).toBe(exitCode);
});

test("a run whose report cannot be written is not done, and is reported when it is resumed", async () => {
  await using project = await evalProject([task("one")]);
  let runId = "";

  const first = evaluate(project, {
    hear: (event, { run }) => {
      runId = run.id;
      if (event.type === "cell-ended") rmSync(project.at("out"), { recursive: true });
    },
  });

  await expect(first).rejects.toMatchObject({ code: "output-unwritable" });
  expect(await rows(project.store, "SELECT state FROM runs")).toEqual([{ state: "running" }]);
  const second = await evaluate(project, { resume: runId });
  expect(reportOf(second.end)).toMatchObject({ passed: 1, total: 1 });
  expect(project.called()).toEqual(["one"]);
});

test("a run whose store is deleted stops with an error instead of remembering nothing", async () => {
  await using project = await evalProject([task("one"), task("two"), task("three")]);

  const run = evaluate(project, {
    output: { concurrency: 1 },
    hear: ({ type }) => {
      if (type === "cell-ended") rmSync(project.store);
    },
  });

  await expect(run).rejects.toMatchObject({ code: "store-unusable", path: project.store });
  expect(existsSync(project.at("out/eval-result.json"))).toBe(false);
});

test("a task whose name looks like a URL with a user in it is counted like any other", async () => {
  await using project = await evalProject([task("ftp://me@host/file")]);

  const { end, cells } = await evaluate(project);

  expect(reportOf(end)).toMatchObject({ passed: 1, total: 1 });
  expect(cells).toMatchObject([{ caseId: "ftp://me@host/file" }]);
});

test("a line that never reached the log is there after the next resume, and no line twice", async () => {
  await using project = await evalProject([task("right"), task("wrong", { answer: 0 })]);
  const { runId, cells } = await evaluate(project);
  const log = project.at("out/.eval.jsonl");
  const lines = readFileSync(log, "utf8").trim().split("\n");
  writeFileSync(log, `${lines.slice(0, -1).join("\n")}\n`);

  await evaluate(project, { resume: runId });

  const logged = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).cellKey);
  expect(logged.toSorted()).toEqual(cells.map(({ key }) => key).toSorted());
});

test("a run over a part of its tasks is reported, and is not a history of the benchmark", async () => {
  await using project = await evalProject([task("one"), task("two")]);

  const { end } = await evaluate(project, { plan: { cases: ["two"] } });

  expect(reportOf(end)).toMatchObject({ passed: 1, total: 1, subjects: [{ skillId: "obedient" }] });
  expect(await rows(project.store, "SELECT state FROM runs")).toEqual([{ state: "done" }]);
  expect(await rows(project.store, "SELECT * FROM reports")).toEqual([]);
});
