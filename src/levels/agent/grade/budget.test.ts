import { expect, test } from "vitest";
import { eachYields, grade } from "../../../../test/forged-logs.ts";
import { beginRun, cleanRun, type ForgedRun, plainCase } from "../../../../test/forged-run.ts";

const anything = { expect: {} };
const bound = (constraints: object) => ({ constraints: { ...plainCase.constraints, ...constraints } });

/** A clean run under other limits. */
function limited(limits: object): ForgedRun {
  return cleanRun().change("run_started", (data) => void Object.assign(data.limits ?? {}, limits));
}

eachYields(
  "budget",
  "LimitExceeded LimitsDiffer StopReasonMissing DegradedOutputMissing StopReasonUnexpected",
  [
    {
      code: "LimitExceeded",
      what: "turns",
      run: () => limited({ max_turns: 4 }),
      case: bound({ max_turns: undefined }),
    },
    {
      code: "LimitExceeded",
      what: "tool calls",
      run: () => limited({ max_tool_calls: 1 }),
      case: bound({ max_tool_calls: undefined }),
    },
    { code: "LimitExceeded", what: "script runs", run: () => limited({ max_script_runs: 0 }) },
    { code: "LimitExceeded", what: "resource loads", run: () => limited({ max_resource_loads: 0 }) },
    { code: "LimitExceeded", what: "model calls", run: () => limited({ max_model_calls: 4 }) },
    { code: "LimitExceeded", what: "characters", run: () => limited({ max_context_chars: 399 }) },
    { code: "LimitsDiffer", what: "more turns than the case allows", case: bound({ max_turns: 7 }) },
    { code: "LimitsDiffer", what: "another time", case: { timeout_ms: 1000 } },
    {
      code: "StopReasonMissing",
      what: "null",
      run: () => beginRun().select().stop("").change("run_finished", { stop_reason: null }),
      case: anything,
    },
    {
      code: "StopReasonMissing",
      what: "absent",
      run: () =>
        beginRun()
          .select()
          .stop("")
          .change("run_finished", (data) => void delete data.stop_reason),
      case: anything,
    },
    {
      code: "DegradedOutputMissing",
      what: "not marked",
      run: () => beginRun().select().stop("no_progress").change("run_finished", { degraded: false }),
      case: anything,
    },
    {
      code: "DegradedOutputMissing",
      what: "no text",
      run: () => beginRun().select().stop("no_progress", "stopped", " \n"),
      case: anything,
    },
    {
      code: "DegradedOutputMissing",
      what: "the answer was planned and never given",
      also: ["sequence ActionLost"],
      change: (run) => run.drop("action_executed", 4),
      case: anything,
    },
    {
      code: "StopReasonUnexpected",
      what: "it answered",
      case: { expect: { stop_reason: "budget_exhausted" } },
    },
  ],
);

test("a run at its limits is within them", async () => {
  const limits = { max_turns: 5, max_tool_calls: 2, max_script_runs: 1, max_resource_loads: 1 };
  const run = limited({ ...limits, max_model_calls: 5, max_context_chars: 400 });
  expect(await grade(run, bound(limits))).toMatchObject({ status: "pass" });
});

test("counters that a run keeps of itself are not believed: where they differ there is no verdict", async () => {
  const run = cleanRun().change("run_finished", { usage: { turns: 99, tool_calls: 99 } });
  expect(await grade(run)).toMatchObject({
    ...{ status: "invalid", stats: { turns: 5, tool_calls: 2 } },
    no_verdict: { code: "LogDamaged", message: expect.stringContaining("turns in usage") },
  });
});

test("a run that stopped and says so, with something to go on with, passes", async () => {
  const run = beginRun().select().stop("budget_exhausted").change("run_finished", { budget: "max_turns" });
  const report = await grade(run, { expect: { stop_reason: "budget_exhausted" } });
  expect(report).toMatchObject({
    status: "pass",
    stats: { stop_reason: "budget_exhausted", degraded: true },
  });
});

test("a limit of the case that nothing touched is not exercised", async () => {
  const run = limited({ max_resource_loads: 0 });
  const loadless = beginRun().select().answer();
  loadless.change("run_started", (data) => void Object.assign(data.limits ?? {}, { max_resource_loads: 0 }));
  expect(await grade(loadless, { ...anything, ...bound({ max_resource_loads: 0 }) })).toMatchObject({
    status: "pass",
    not_exercised: expect.arrayContaining(["max_resource_loads"]),
  });
  expect(await grade(run, bound({ max_resource_loads: 0 }))).toMatchObject({ status: "fail" });
  const refused = limited({ max_resource_loads: 0 }).refuse(1, "BudgetExceeded", "guard");
  const given = { expect: { errors: [{ code: "BudgetExceeded" }] }, ...bound({ max_resource_loads: 0 }) };
  expect(await grade(refused, given)).toMatchObject({ status: "pass", not_exercised: [] });
});
