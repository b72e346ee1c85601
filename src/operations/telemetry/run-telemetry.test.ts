import { expect, test } from "vitest";
import type { Containment } from "../../contract/containment.ts";
import type { CellName } from "../../contract/event.ts";
import type { CellResult } from "../../contract/result.ts";
import type { TelemetryContext } from "../../contract/telemetry.ts";
import { systemClock } from "../../shared/async/clock.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { sampleResult } from "../../store/samples.ts";
import { type RunFacts, runTelemetry } from "./run-telemetry.ts";

const containment: Containment = { level: "off", backend: null, network: "none", unproven: [] };
const facts: RunFacts = { command: "eval", skills: ["s"], models: ["lab/m"] };

function listening() {
  const reported: { name: string; payload: JsonObject; context: TelemetryContext }[] = [];
  let ms = 0;
  const run = runTelemetry(
    { emit: (name, payload, context = {}) => void reported.push({ name, payload, context }) },
    facts,
    { ...systemClock, monotonic: () => (ms += 5) },
  );
  run.onEvent({ type: "run-started", runId: "r1", cells: 3, alreadyDone: 1, containment });
  return { ...run, reported, last: () => reported.at(-1) };
}

function cell(caseId: string, level = "unit"): CellName {
  return { key: `key-${caseId}`, position: 0, level, suite: "bench", subject: "s", caseId, trial: 2 };
}

test("a run reports what it set out to do, each cell once however often it is tried, and how it ended", () => {
  const { onEvent, end, reported } = listening();
  const ended = (taskId: string, result: Partial<CellResult>) =>
    onEvent({ type: "cell-ended", cell: cell(taskId), result: sampleResult(result) });
  for (const attempt of [1, 2]) onEvent({ type: "attempt-started", cell: cell("a"), attempt, at: "" });
  ended("a", {
    status: "timeout",
    cause: "deadline",
    usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3, costUsd: 0.5 },
    reason: "secret words",
    output: "secret words",
    latencyMs: 12.34567,
  });
  ended("b", {});
  ended("c", { status: "invalid" });
  end(1);
  end(null);
  const run_id = "r1";
  const a = { run_id, cell_id: "key-a", skill_id: "s", task_id: "a" };
  expect(reported.slice(0, 3)).toEqual([
    {
      name: "run.start",
      payload: {
        ...{ command: "eval", cells: 3, already_done: 1 },
        ...{ skills: ["s"], skill_count: 1, models: ["lab/m"], model_count: 1 },
      },
      context: { run_id },
    },
    { name: "cell.start", payload: { trial: 2, suite: "bench" }, context: a },
    {
      name: "cell.done",
      payload: { status: "timeout", cause: "deadline", score: 0, ms: 12.346, tokens: 3, usd: 0.5 },
      context: a,
    },
  ]);
  expect(reported.slice(3).map(({ name }) => name)).toEqual(["cell.done", "cell.done", "run.done"]);
  expect(reported.at(-1)).toEqual({
    name: "run.done",
    payload: { passed: 1, failed: 1, no_verdict: 1, ms: 5, exit_code: 1 },
    context: { run_id },
  });
  expect(JSON.stringify(reported)).not.toContain("secret words");
});

test.each([
  ["a query is one of its skill", "trigger", { skill_id: "s", task_id: "a" }],
  ["a case is named as one, and the model it is tried with is not a skill", "planbench", { case_id: "a" }],
])("%s", (_, level, named) => {
  const { onEvent, last } = listening();
  onEvent({ type: "attempt-started", cell: cell("a", level), attempt: 1, at: "" });
  expect(last()?.context).toEqual({ run_id: "r1", cell_id: "key-a", ...named });
});

test("a run that never started ends without a word", () => {
  const reported: string[] = [];
  runTelemetry({ emit: (name) => void reported.push(name) }, facts, systemClock).end(2);
  expect(reported).toEqual([]);
});
