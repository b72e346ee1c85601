import { expect, test } from "vitest";
import { Decision } from "../../contract/agent-action.ts";
import type { Json, JsonSchema } from "../../shared/json/json.ts";
import { compileSchema } from "../../shared/json/json-schema.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { rulesText } from "./prompt-text.ts";
import { decisionSchema, schemaHint } from "./schema-hint.ts";

const draft = { $schema: "http://json-schema.org/draft-07/schema#" };
const fitting = (schema: JsonSchema): ((value: Json) => boolean) => {
  const compiled = compileSchema({ ...draft, ...(schema as object) });
  if (!compiled.ok) throw new Error(compiled.problem);
  return (value) => compiled.validate(value).length === 0;
};

/** Every schema in a schema. */
function* partsOf(schema: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(schema)) for (const item of schema) yield* partsOf(item);
  if (!isMap(schema)) return;
  yield schema;
  for (const [key, value] of Object.entries(schema))
    if (key === "properties") yield* partsOf(Object.values(value as object));
    else if (key !== "enum" && key !== "required") yield* partsOf(value);
}

test("the hint is the schema that replies are checked with", () => {
  const fits = fitting(JSON.parse(schemaHint));
  const example = { action: { type: "call_tool", payload: { tool: "t", arguments: { a: [1] } } } };

  expect(fits(example)).toBe(true);
  expect(fits({ action: { type: "plan", payload: {} } })).toBe(false);
});

test("every example in the rules is a decision", () => {
  const examples = rulesText.split("\n").filter((line) => line.startsWith('   {"action"'));
  expect(examples.map((line) => Decision.parse(JSON.parse(line)).action.type)).toEqual([
    "select_skills",
    "load_resource",
    "run_script",
    "call_tool",
    "final_answer",
  ]);
  const updates = [...rulesText.matchAll(/^- .*"plan_update":(\{.*\})$/gm)].map(([, text = ""]) =>
    JSON.parse(text),
  );
  expect(updates).toHaveLength(2);
  const { action } = JSON.parse(examples[4] as string);
  for (const plan_update of updates) Decision.parse({ action, plan_update });
  expect(rulesText).toContain("write_file: path, content, mode? (create|overwrite|append)");
  expect(rulesText.endsWith(schemaHint)).toBe(true);
});

const parameters = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 1 },
    limit: { type: "integer", default: 5 },
    tags: { type: "object" },
  },
  required: ["text"],
};

test("what a provider enforces says only what the strictest of them can: closed, complete, few choices", () => {
  const parts = [...partsOf(decisionSchema(["pdf", "notes"], [{ name: "risk", parameters }]))];
  const words = new Set(parts.flatMap((part) => Object.keys(part)));
  expect([...words].sort()).toEqual(
    ["additionalProperties", "anyOf", "const", "enum", "items", "properties", "required", "type"].sort(),
  );
  for (const part of parts.filter(({ type }) => type === "object")) {
    expect(part.additionalProperties).toBe(false);
    expect(part.required).toEqual(Object.keys(part.properties as object));
  }
  expect(parts.filter(({ anyOf }) => anyOf !== undefined).length).toBeLessThanOrEqual(16);
});

test("every action can be expressed in it, skills only by existing names", () => {
  const fits = fitting(decisionSchema(["pdf", "notes"], [{ name: "risk", parameters }]));
  const says = (action: Json, plan_update: Json = null) => fits({ action, plan_update });
  const skill = (name: string) => ({ name, source: null });
  const call = (tool: string, args: Json) => ({ type: "call_tool", payload: { tool, arguments: args } });

  expect(says({ type: "select_skills", payload: { skills: [skill("pdf")], reason: "r" } })).toBe(true);
  expect(says({ type: "select_skills", payload: { skills: [skill("pfd")], reason: "r" } })).toBe(false);
  const file = { skill: { name: "notes", source: "user" }, relative_path: "a.md" };
  expect(says({ type: "load_resource", payload: { ...file, section_hint: null } })).toBe(true);
  expect(says({ type: "run_script", payload: { ...file, args: ["x"], as_module: null } })).toBe(true);
  expect(says({ type: "final_answer", payload: { content: "done" } })).toBe(true);
  expect(says(call("grep", { path: ".", pattern: "x", mode: "files" }))).toBe(true);
  expect(says(call("network_request", { url: "u", method: null, body: "b" }))).toBe(true);
  expect(says(call("risk", { text: "t", limit: 3 }))).toBe(true);
  expect(says(call("other", {}))).toBe(false);
  const ops = [{ op: "set", path: "/goal", value: "g" }];
  expect(says({ type: "final_answer", payload: { content: "done" } }, { mode: "patch", ops })).toBe(true);
});

test("without a list of tools, or of what they take, any call can be expressed", () => {
  const call = {
    action: { type: "call_tool", payload: { tool: "other", arguments: { a: 1 } } },
    plan_update: null,
  };

  expect(fitting(decisionSchema(["pdf"]))(call)).toBe(true);
  expect(fitting(decisionSchema(["pdf"], [{ name: "other", parameters: null }]))(call)).toBe(true);
  expect(fitting(decisionSchema(["pdf"], [{ name: "other", parameters: { type: "object" } }]))(call)).toBe(
    true,
  );
});

test.each([0, 251])("with %d names any name is allowed: no provider takes such a list", (count) => {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  const action = { type: "select_skills", payload: { skills: [{ name: "x", source: null }], reason: null } };

  expect(fitting(decisionSchema(names, []))({ action, plan_update: null })).toBe(true);
});
