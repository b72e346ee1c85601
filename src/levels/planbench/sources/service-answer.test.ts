import { expect, test } from "vitest";
import { ServiceAnswer } from "./service-answer.ts";

function answerTo(...events: (string | object)[]): ServiceAnswer {
  const answer = new ServiceAnswer();
  for (const event of events)
    answer.add((typeof event === "string" ? event : JSON.stringify(event)).split("\n"));
  return answer;
}

const final = { type: "final_result", success: true, plan: { a: 1 }, attempt_count: 3, error: null };

test("the event that ends an answer says the plan, the repairs and what the service thinks of it", () => {
  const answer = answerTo({ type: "progress" }, { type: "progress" }, { no: "type" }, "[DONE]", final);

  expect(answer.final).toEqual({
    output: '{"a":1}',
    repairs: 2,
    claimedOk: true,
    problem: null,
    events: { progress: 2, "(no type)": 1, final_result: 1 },
  });
});

const wrapped = { type: "final_result", result: { success: true, plan: { a: 1 }, attempt_count: 3 } };

test("the members may be inside `result`, as the real service puts them", () => {
  const steps = [
    { type: "visual_step", step: { title: "reading" } },
    { type: "visual_step", step: {} },
  ];
  expect(answerTo(...steps, wrapped, "[DONE]").final).toEqual({
    output: '{"a":1}',
    repairs: 2,
    claimedOk: true,
    problem: null,
    events: { visual_step: 2, final_result: 1 },
  });
});

test.each<[string, object, string]>([
  ["a text", { type: "error", error: "no model" }, "the service failed: no model"],
  ["nothing", { type: "error" }, "the service failed: it gives no reason"],
  [
    "a type and a message",
    { type: "error", error: { type: "rate_limit", message: "later" }, timestamp: "2026-01-01" },
    "the service failed: rate_limit: later",
  ],
])("a breakdown ends the answer with %s", (_, event, failure) => {
  const answer = answerTo({ type: "visual_step" }, event, wrapped);

  expect(answer).toMatchObject({ isOver: true, final: null, failure });
  expect(answer.events).toEqual({ visual_step: 1, error: 1 });
});

test.each<[string, object | string, object]>([
  [
    "a failure inside `result`",
    {
      type: "final_result",
      result: {
        success: false,
        plan: null,
        attempt_count: 3,
        error: { type: "invalid_plan", message: "no actions" },
      },
    },
    { claimedOk: false, repairs: 2, problem: "there is no plan: invalid_plan: no actions" },
  ],
  [
    "a `result` that is not an object is not looked into",
    { ...final, result: [1] },
    { output: '{"a":1}', problem: null },
  ],
  ["a plan that is a text is that text", { ...final, plan: "{}" }, { output: "{}", problem: null }],
  [
    "no plan, with a reason",
    { ...final, plan: null, error: "no luck" },
    { problem: "there is no plan: no luck" },
  ],
  ["no plan, without one", { type: "final_result" }, { problem: "there is no plan", claimedOk: null }],
  ["no count of attempts", { ...final, attempt_count: undefined }, { repairs: null }],
  ["a count that is none", { ...final, attempt_count: 0 }, { repairs: null }],
  ["a claim that is none", { ...final, success: "yes" }, { claimedOk: null }],
  [
    "a plan that says two things at once",
    '{"type":"final_result","success":true,"plan":{"a":1,"a":2},"attempt_count":1}',
    { output: "", problem: expect.stringContaining('duplicate key "a"') },
  ],
  ["an event over several lines", JSON.stringify(final, null, 1), { output: '{"a":1}' }],
  [
    "events without a blank line between them",
    `{"type":"progress"}\n${JSON.stringify(final)}`,
    { events: { progress: 1, final_result: 1 } },
  ],
])("%s", (_, event, expected) => {
  expect(answerTo(event).final).toMatchObject(expected);
});

test("what comes after the end is not heard", () => {
  expect(answerTo(final, { ...final, plan: { b: 2 } }).final).toMatchObject({
    output: '{"a":1}',
    events: { final_result: 1 },
  });
});

test("however many types a service makes up, few are kept, and none is more than a name", () => {
  const { events } = answerTo(
    ...Array.from({ length: 300 }, (_, n) => ({ type: `t${n}` })),
    { type: "__proto__" },
    { type: "x".repeat(9000) },
  );

  expect(Object.keys(events)).toHaveLength(101);
  expect(events["(others)"]).toBe(202);
  expect(Object.keys(answerTo({ type: "__proto__" }).events)).toEqual(["__proto__"]);
});
