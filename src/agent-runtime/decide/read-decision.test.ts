import { expect, test } from "vitest";
import type { Json } from "../../shared/json/json.ts";
import { readDecision } from "./read-decision.ts";

const answer = { type: "final_answer", payload: { content: "done" } };
const select = (payload: Json): Json => ({ action: { type: "select_skills", payload } });
const types = "select_skills, load_resource, run_script, call_tool, final_answer";

test.each<[string, Json, string]>([
  ["no object", [], "$ must be a map, not a list"],
  ["no action", {}, "$.action is required and missing"],
  ["no type", { action: { payload: {} } }, `$.action.type is required and missing: it is one of ${types}`],
  [
    "an unknown type",
    { action: { type: "plan", payload: {} } },
    `$.action.type may not be "plan": it is one of ${types}`,
  ],
  ["no payload", { action: { type: "final_answer" } }, "$.action.payload is required and missing"],
  ["no skill", select({ skills: [] }), "$.action.payload.skills must not be empty"],
  [
    "another source",
    select({ skills: [{ name: "a", source: "web" }] }),
    '$.action.payload.skills[0].source may not be "web": known: project, user, builtin',
  ],
  ["a foreign member", select({ skills: [{ name: "a" }], why: "x" }), "$.action.payload.why is not known"],
  [
    "a null where a value is required",
    select({ skills: [{ name: null }] }),
    "$.action.payload.skills[0].name must be text, not null",
  ],
  [
    "a long diagnosis",
    { action: answer, diagnostics: { x: "y".repeat(4089) } },
    "$.diagnostics has 4097 characters as JSON, and at most 4096 are taken",
  ],
])("%s is refused with its path", (_, value, problem) => {
  expect(readDecision(value)).toEqual({ ok: false, problem });
});

test("of many problems the first are reported", () => {
  const read = readDecision(select({ skills: [{ name: "a" }], a: 1, b: 2, c: 3, d: 4 }));

  expect(read).toMatchObject({
    problem: expect.stringMatching(/^\$.*\.a is.*; .*\.b .*; .*\.c .* and 1 more$/),
  });
});

test("what may be left out gets its default; what is not known is ignored and reported", () => {
  const value = {
    action: { type: "run_script", payload: { skill: { name: "a" }, relative_path: "scripts/x.py" } },
    thought: "hm",
    "a\u001bb": 1,
  };

  expect(readDecision(value)).toEqual({
    ok: true,
    decision: {
      action: {
        type: "run_script",
        payload: { skill: { name: "a" }, relative_path: "scripts/x.py", args: [] },
      },
      plan_update: null,
      diagnostics: null,
    },
    warnings: ['not known and ignored: $.thought, $["a\\\\u001bb"]'.replace("\\\\", "\\")],
  });
  // Whether a choice has a reason is the core's to say.
  expect(readDecision(select({ skills: [{ name: "a" }] }))).toMatchObject({ warnings: [] });
  expect(readDecision({ action: answer, diagnostics: { x: "y".repeat(4088) } })).toMatchObject({ ok: true });
});

test("a null for an optional member is read as left out", () => {
  const plan = {
    goal: "g",
    steps: [{ id: "a", title: "t", status: "pending", reason: null, dependencies: null }],
    assumptions: null,
    constraints: null,
    version: null,
  };
  const value = {
    ...(select({ skills: [{ name: "a", source: null }], reason: null }) as object),
    plan_update: { mode: "replace", plan },
  };

  expect(readDecision(value as Json)).toMatchObject({
    ok: true,
    decision: {
      action: { type: "select_skills", payload: { skills: [{ name: "a" }] } },
      plan_update: {
        mode: "replace",
        plan: { goal: "g", steps: [{ id: "a", title: "t", status: "pending" }] },
      },
    },
  });
});

test("so it is in the arguments of tools, as far as we know what they take", () => {
  const call = (tool: string, args: Json): Json => ({
    action: { type: "call_tool", payload: { tool, arguments: args } },
  });
  const argumentsOf = (value: Json) => {
    const read = readDecision(value, [
      {
        name: "risk",
        parameters: {
          type: "object",
          properties: {
            text: { type: "string" },
            limit: { type: "integer" },
            mark: { type: ["string", "null"] },
          },
          required: ["text"],
        },
      },
    ]);
    return read.ok && read.decision.action.type === "call_tool"
      ? read.decision.action.payload.arguments
      : null;
  };

  expect(argumentsOf(call("grep", { path: ".", pattern: "x", mode: null }))).toEqual({
    path: ".",
    pattern: "x",
  });
  expect(argumentsOf(call("read_file", { path: null }))).toEqual({ path: null });
  expect(argumentsOf(call("risk", { text: null, limit: null, mark: null }))).toEqual({
    text: null,
    mark: null,
  });
  expect(argumentsOf(call("unknown", { a: null }))).toEqual({ a: null });
});
