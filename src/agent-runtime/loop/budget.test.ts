import { expect, test } from "vitest";
import { act, codesIn, failing, runSample, sampleSkill } from "../../../test/builders/sample-agent-run.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { Budget } from "./budget.ts";

const reads = (count: number) => Array.from({ length: count }, (_, index) => act.read(`${index}.txt`));
const scripts = (count: number) => [
  act.select("pdf"),
  ...Array.from({ length: count }, (_, n) => act.script("pdf", [`${n}`])),
];
const loads = (count: number) => [
  act.select("pdf"),
  ...Array.from({ length: count }, (_, n) => act.load("pdf", `${n}.md`)),
];

test.each([
  ["max_tool_calls", 2, reads],
  ["max_script_runs", 2, scripts],
  ["max_resource_loads", 2, loads],
] as const)(
  "%s: up to the limit everything works, one more is refused and leaves a turn to answer",
  async (limit, most, actions) => {
    for (const count of [most - 1, most, most + 1]) {
      const { end, log } = await runSample([...actions(count), act.answer()], { limits: { [limit]: most } });

      expect(codesIn(log)).toEqual(count > most ? ["BudgetExceeded"] : []);
      expect(end).toMatchObject({ stop_reason: "final_answer", degraded: false });
      expect(log.of("turn_started").at(-1)?.answer_now).toBe(count > most);
    }
  },
);

test("whoever does something else in the turn for an answer is stopped, and it is not done", async () => {
  const { end, log, calls } = await runSample([...reads(3), act.answer()], { limits: { max_tool_calls: 1 } });

  expect(end).toMatchObject({ status: "stopped", stop_reason: "budget_exhausted", degraded: true });
  expect(log.of("run_finished")[0]).toMatchObject({
    budget: "max_tool_calls",
    usage: { turns: 3, tool_calls: 1 },
  });
  expect(codesIn(log)).toEqual(["BudgetExceeded", "BudgetExceeded"]);
  expect(log.of("turn_finished").map(({ outcome }) => outcome)).toEqual(["observed", "refused", "stopped"]);
  expect(calls).toHaveLength(1);
});

test("also selecting a skill is something else", async () => {
  const { log } = await runSample([...reads(2), act.select("pdf"), act.answer()], {
    limits: { max_tool_calls: 1 },
  });

  expect(log.of("run_finished")[0]).toMatchObject({
    stop_reason: "budget_exhausted",
    budget: "max_tool_calls",
  });
  expect(log.of("skill_loaded")).toEqual([]);
});

test("a refusal in the last turn ends the run at once", async () => {
  const { log } = await runSample([...reads(2), act.answer()], {
    limits: { max_tool_calls: 1, max_turns: 2 },
  });

  expect(log.of("run_finished")[0]).toMatchObject({
    stop_reason: "budget_exhausted",
    budget: "max_tool_calls",
  });
  expect(log.of("turn_finished").at(-1)).toEqual({ outcome: "refused" });
});

test("no scripts allowed: the run still answers, and other tools work", async () => {
  const { end, log } = await runSample([...reads(1), ...scripts(1), act.answer()], {
    limits: { max_script_runs: 0 },
  });

  expect(end.stop_reason).toBe("final_answer");
  expect(codesIn(log)).toEqual(["BudgetExceeded"]);
});

test("a tool of a skill counts as a script, a refused one only as a call", async () => {
  const count = { name: "count", description: "", parameters: null, script: "scripts/count.py" };
  const skills = [sampleSkill("pdf", { tools: [count] })];
  const turns = [act.select("pdf"), act.call("count", {}), act.script("pdf"), act.answer()];
  const ran = await runSample(turns, { skills });
  const denied = await runSample(turns, {
    skills,
    tool: failing({ code: "ApprovalDenied", message: "no" }, false),
  });

  expect(ran.log.of("run_finished")[0]?.usage).toMatchObject({ tool_calls: 2, script_runs: 2 });
  expect(denied.log.of("run_finished")[0]?.usage).toMatchObject({ tool_calls: 2, script_runs: 0 });
});

test("the last turn is told so, and what it does is still done", async () => {
  for (const count of [1, 2, 3]) {
    const { end, log } = await runSample([...reads(count), act.answer()], { limits: { max_turns: 3 } });

    expect(log.of("turn_started").map(({ answer_now }) => answer_now)).toEqual(
      [false, false, true].slice(0, count + 1),
    );
    expect(log.of("action_executed")).toHaveLength(Math.min(3, count + 1));
    expect(end.stop_reason).toBe(count < 3 ? "final_answer" : "budget_exhausted");
    expect(log.of("run_finished")[0]?.budget).toBe(count < 3 ? undefined : "max_turns");
  }
});

test("calls to the model are counted with corrections and tries", async () => {
  const turns = [{ raw: "Sure!" }, act.read("x"), { error: { kind: "network" } }, act.answer()];
  for (const most of [3, 4, 5]) {
    const { log } = await runSample(turns, { limits: { max_model_calls: most } });

    expect(log.of("model_request")).toHaveLength(Math.min(most, 4));
    expect(log.of("run_finished")[0]?.budget).toBe(most < 4 ? "max_model_calls" : undefined);
  }
});

test("a request may be as long as the limit says and not longer, a correction included", async () => {
  const { log } = await runSample([act.answer()]);
  const chars = log.of("model_request")[0]?.chars ?? 0;

  for (const [most, reason] of [
    [chars, "final_answer"],
    [chars - 1, "budget_exhausted"],
  ] as const) {
    const { end, log } = await runSample([act.answer()], { limits: { max_context_chars: most } });
    expect(end.stop_reason).toBe(reason);
    expect(log.of("model_request")).toHaveLength(reason === "final_answer" ? 1 : 0);
    expect(log.of("run_finished")[0]?.budget).toBe(
      reason === "final_answer" ? undefined : "max_context_chars",
    );
  }
  const corrected = await runSample([{ raw: "Sure!" }, act.answer()], {
    limits: { max_context_chars: chars },
  });
  expect(corrected.log.of("run_finished")[0]).toMatchObject({ budget: "max_context_chars" });
  expect(corrected.log.of("model_request")).toHaveLength(1);
});

/** A clock that moves when somebody waits. */
function movingClock(): Clock {
  let time = 0;
  const sleep = async (ms: number) => {
    time += ms;
  };
  return { now: () => time, monotonic: () => time, sleep };
}

test.each([
  [999, "final_answer"],
  [1000, "budget_exhausted"],
])("after %d ms of 1000 the run ends with %s", async (delay_ms, reason) => {
  const { end, log } = await runSample([{ ...act.answer(), delay_ms }], {
    clock: movingClock(),
    limits: { timeout_ms: 1000 },
  });

  expect(end.stop_reason).toBe(reason);
  expect(log.of("action_planned")).toHaveLength(reason === "final_answer" ? 1 : 0);
});

test("a model that is slow is not waited for beyond the time of the run", async () => {
  const { end, log } = await runSample([], {
    limits: { timeout_ms: 5 },
    decide: (_, on, signal) => {
      on.mayCall([]);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });

  expect(end).toMatchObject({ stop_reason: "budget_exhausted", degraded: true });
  expect(log.of("run_finished")[0]).toMatchObject({ budget: "timeout_ms" });
  expect(log.of("turn_finished")).toEqual([{ outcome: "stopped" }]);
});

test("a tool that overstays is broken off, and its call is on record", async () => {
  const { log } = await runSample([act.read("x"), act.answer()], {
    limits: { timeout_ms: 5 },
    tool: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });

  expect(log.of("action_executed")).toMatchObject([{ ok: false, started: true, error: { code: "Timeout" } }]);
  expect(log.of("run_finished")[0]).toMatchObject({ budget: "timeout_ms" });
});

test("a tool learns how much of the run is left", async () => {
  const { calls } = await runSample([{ ...act.read("x"), delay_ms: 400 }, act.answer()], {
    clock: movingClock(),
    limits: { timeout_ms: 1000 },
  });

  expect(calls[0]?.remainingMs).toBe(600);
});

test("money that is used up ends the run", async () => {
  const { log } = await runSample([], {
    decide: async () => ({ status: "exhausted", limit: "max_cost_usd" }),
  });

  expect(log.of("run_finished")[0]).toMatchObject({
    stop_reason: "budget_exhausted",
    budget: "max_cost_usd",
  });
});

test("a limit is near when four fifths are used; what is left is reported", async () => {
  const { log } = await runSample([...reads(4), act.answer()], {
    limits: { max_turns: 5, max_tool_calls: 5, max_script_runs: 0, max_model_calls: 100 },
  });

  expect(log.of("turn_started").map(({ near_limit }) => near_limit)).toEqual([
    ...[[], [], [], ["max_turns"], ["max_turns", "max_tool_calls"]],
  ]);
  expect(log.of("turn_started")[4]?.remaining).toMatchObject({
    max_turns: 0,
    max_tool_calls: 1,
    max_model_calls: 96,
  });
});

test("a limit that nobody set is never used up", () => {
  const budget = new Budget(
    {
      max_turns: 1,
      max_tool_calls: 1,
      max_script_runs: 1,
      max_resource_loads: null,
      max_model_calls: 1,
      max_context_chars: 1,
      timeout_ms: 1,
      max_cost_usd: null,
    },
    movingClock(),
  );
  budget.used.resource_loads = 1e6;
  budget.addCost(1e6);

  expect(budget.refusal("resource")).toBeNull();
  expect(budget.nearLimits()).toEqual([]);
});
