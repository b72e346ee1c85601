import { expect, test } from "vitest";
import { act, codesIn, runSample } from "../../../test/builders/sample-agent-run.ts";
import type { Plan, PlanStep, PlanUpdate } from "../../contract/agent-action.ts";
import { PlanBook } from "./plan-book.ts";

const step = (id: string, dependencies: string[] = []): PlanStep => ({
  id,
  title: id,
  status: "pending",
  dependencies,
});
const replace = (...steps: PlanStep[]): PlanUpdate => ({ mode: "replace", plan: { goal: "g", steps } });
const set = (path: string, value: string): Extract<PlanUpdate, { mode: "patch" }> => ({
  mode: "patch",
  ops: [{ op: "set", path, value }],
});

test("a plan is made once and updated from then on; its version is ours", async () => {
  const first: Plan = { goal: "g", steps: [step("a")], version: 7 };
  const { log } = await runSample([
    { ...act.read("1"), plan_update: { mode: "replace", plan: first } },
    { ...act.read("2"), plan_update: set("/steps/a/status", "completed") },
    { ...act.read("3"), plan_update: replace(step("b")) },
    act.answer(),
  ]);

  expect(log.of("plan_created")).toMatchObject([{ version: 1, plan: { version: 1 } }]);
  expect(log.of("plan_updated")).toMatchObject([
    { version: 2, ops: [{ path: "/steps/a/status", value: "completed" }] },
    { version: 3, plan: { steps: [{ id: "b" }], version: 3 } },
  ]);
  expect(log.states.at(-1)?.plan).toMatchObject({ version: 3 });
});

test("steps are addressed by id, and so is the goal", () => {
  const book = new PlanBook();
  book.apply(replace(step("a"), step("1")));
  book.apply({
    mode: "patch",
    ops: [
      { op: "set", path: "/goal", value: "other" },
      { op: "set", path: "/steps/1/title", value: "One" },
      { op: "set", path: "/steps/1/reason", value: "why" },
    ],
  });

  expect(book.plan).toMatchObject({
    goal: "other",
    version: 2,
    steps: [{ id: "a" }, { title: "One", reason: "why" }],
  });
});

test.each([
  ["an unknown step", set("/steps/b/status", "completed")],
  ["a bad status", set("/steps/a/status", "finished")],
  ["two steps of one id", replace(step("a"), step("a"))],
  ["a dependency on nothing", replace(step("a", ["b"]))],
  ["a step that waits for itself", replace(step("a", ["a"]))],
  ["a circle", replace(step("a", ["c"]), step("b", ["a"]), step("c", ["b"]), step("d"))],
])("%s: the whole update is ignored", (_, update) => {
  const book = new PlanBook();
  book.apply(replace(step("a")));
  const before = book.plan;
  const mixed: PlanUpdate =
    update.mode === "patch" ? { ...update, ops: [...set("/goal", "new").ops, ...update.ops] } : update;

  expect(book.apply(mixed)).toMatchObject({ ok: false });
  expect(book.plan).toBe(before);
});

test("there is nothing to patch before the first plan", () => {
  expect(new PlanBook().apply(set("/goal", "g"))).toMatchObject({ ok: false });
});

test("a long chain and a wide fan are no circle", () => {
  const chain = Array.from({ length: 5000 }, (_, index) =>
    step(`s${index}`, index === 0 ? [] : [`s${index - 1}`]),
  );
  const fan = Array.from({ length: 5000 }, (_, index) => step(`s${index}`, index === 0 ? [] : ["s0"]));

  expect(new PlanBook().apply(replace(...chain))).toMatchObject({ ok: true });
  expect(new PlanBook().apply(replace(...fan))).toMatchObject({ ok: true });
});

test("an ignored update is reported to the log and to the model, and the action is carried out", async () => {
  const { log, prompts } = await runSample([
    { ...act.read("x"), plan_update: set("/steps/z/status", "completed") },
    act.answer(),
  ]);

  expect(codesIn(log)).toEqual(["InvalidAction"]);
  expect(log.of("error_occurred")[0]).toMatchObject({ fatal: false });
  expect(log.of("action_executed")[0]).toMatchObject({ ok: true });
  expect(prompts[1]).toContain("the plan update was ignored: there is no plan to patch yet");
});
