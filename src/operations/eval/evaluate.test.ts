import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { evalProject, task } from "../../../test/eval-project.ts";
import type { RunEvent } from "../../contract/event.ts";
import { evaluate } from "./evaluate.ts";

test("skills are evaluated, and nothing is left behind but the store", async () => {
  await using project = await evalProject([task("one"), task("two", { answer: 1 })]);
  const before = readdirSync(project.at("."));

  const { report, cells, runId } = await evaluate({
    skills: ["skill"],
    benchmark: "./bench.json",
    store: "runs.db",
    sandbox: "process", // its calls are written down beside the skill
    cwd: project.at("."),
  });

  expect(report).toMatchObject({ passed: 1, total: 2, exitCode: 0, files: [], run: { id: runId } });
  expect((await cells("obedient")).map(({ caseId, status }) => [caseId, status])).toEqual([
    ["one", "pass"],
    ["two", "fail"],
  ]);
  const added = readdirSync(project.at(".")).filter((name) => !before.includes(name));
  expect(added.filter((name) => !name.startsWith("runs.db"))).toEqual(["calls"]);
});

test("reports are written where they are requested, and the gate decides the exit code", async () => {
  await using project = await evalProject([task("one", { answer: 1 })]);

  const { report } = await evaluate({
    skills: ["skill"],
    benchmark: "./bench.json",
    cwd: project.at("."),
    formats: ["json", "markdown"],
    outputDir: "out",
    minCompletion: 0.5,
    exitOnFail: true,
  });

  expect(report).toMatchObject({
    exitCode: 1,
    gates: [{ subject: { skillId: "obedient" }, metric: "completionRate", threshold: 0.5, passed: false }],
  });
  for (const file of report.files) expect(existsSync(project.at(file)), file).toBe(true);
  expect(report.files).toHaveLength(4);
});

test("listeners are called for every cell", async () => {
  await using project = await evalProject([task("one")]);
  const events: RunEvent["type"][] = [];

  await evaluate({
    skills: ["skill"],
    benchmark: "./bench.json",
    cwd: project.at("."),
    onEvent: ({ type }) => events.push(type),
  });

  expect(events).toEqual(["run-started", "attempt-started", "attempt-ended", "cell-ended", "run-ended"]);
});

test("an aborted signal stops the run with its own reason", async () => {
  await using project = await evalProject((at) => [task("one", { until: at("never") })]);
  const stop = new AbortController();
  const reason = new Error("enough");
  const running = evaluate({
    skills: ["skill"],
    benchmark: "./bench.json",
    sandbox: "process",
    cwd: project.at("."),
    signal: stop.signal,
  });
  await project.untilCalledFor("one");
  stop.abort(reason);

  await expect(running).rejects.toBe(reason);
});

test("a signal that is aborted while everything is still checked stops the run as well", async () => {
  await using project = await evalProject([task("one")]);
  const stop = new AbortController();
  const reason = new Error("enough");
  const options = { skills: ["skill"], benchmark: "./bench.json", cwd: project.at(".") };

  const running = evaluate({ ...options, signal: stop.signal });
  stop.abort(reason);

  await expect(running).rejects.toBe(reason);
  expect(project.called()).toEqual([]);
});

test.each([
  ["a skill that is not there", { skills: ["nowhere"] }, { code: "skill-not-found" }],
  ["an unknown benchmark", { benchmark: "codng-easy" }, { code: "benchmark-not-found" }],
  ["a count out of range", { concurrency: 0 }, { code: "config-invalid" }],
  [
    "a misspelt option",
    { minCompletoin: 1 } as never,
    { code: "usage", hint: "did you mean minCompletion?" },
  ],
  ["an option of the command line alone", { dryRun: true } as never, { code: "usage" }],
  ["runs that are no count", { runs: 1.5 }, { code: "usage" }],
  ["a text in place of a list of skills", { skills: "skill" as never }, { code: "usage" }],
  ["a level of containment nobody knows", { sandbox: "strickt" as never }, { code: "usage" }],
  ["a format nobody knows", { formats: ["xml"] as never }, { code: "usage" }],
  ["a gate nobody knows", { gateOn: "upper" as never }, { code: "usage" }],
  ["a configuration nobody knows", { config: { llm: { modl: "x" } } as never }, { code: "config-invalid" }],
])("%s is a UserError", async (_, changes, error) => {
  await using project = await evalProject([task("one")]);
  const options = { skills: ["skill"], benchmark: "./bench.json", cwd: project.at(".") };

  await expect(evaluate({ ...options, ...changes })).rejects.toMatchObject(error);
  expect(project.called()).toEqual([]);
});
