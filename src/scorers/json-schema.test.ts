import { describe, expect, test } from "vitest";
import { mistakeIn, requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import type { Json, JsonSchema } from "../shared/json/json.ts";
import { prepareScorer } from "./choose-scorer.ts";

const person: JsonSchema = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, age: { type: "integer" } },
};

function check(schema: JsonSchema, output: Json) {
  return scoreAnswer(requestFor({ type: "json_schema", schema }), output);
}

test("formats are checked, and only a note where the evaluator is not strict", async () => {
  const request = (evaluator: object) =>
    requestFor({ type: "json_schema", schema: { format: "date" } }, evaluator);

  expect(await scoreAnswer(request({}), "tomorrow")).toMatchObject({ passed: false });
  expect(await scoreAnswer(request({ strict: false }), "tomorrow")).toMatchObject({ passed: true });
});

test("a valid answer passes", async () => {
  expect(await check(person, { name: "Ada" })).toEqual({ score: 1, passed: true, reason: null });
});

test("the reason names all first errors, each with its place", async () => {
  expect(await check(person, { name: 1, age: "x" })).toEqual({
    score: 0,
    passed: false,
    reason: "/name must be string; /age must be integer",
  });
});

test("more than three errors are cut", async () => {
  const score = await check({ type: "array", items: { type: "string" } }, [1, 2, 3, 4, 5]);
  expect(score).toMatchObject({
    reason: "/0 must be string; /1 must be string; /2 must be string; and more",
  });
});

test("a text is tried as it is", async () => {
  expect(await check({ type: "string" }, '{"a": 1}')).toMatchObject({ passed: true });
});

test("then it is read as JSON", async () => {
  expect(await check(person, '{"name": "Ada"}')).toMatchObject({ passed: true });
  expect(await check(person, '{"name": 1}')).toMatchObject({ reason: "/name must be string" });
  expect(await check(person, "no JSON")).toMatchObject({ passed: false, reason: "(root) must be object" });
});

test("a text of JSON that two readers would read differently is not read", async () => {
  expect(await check(person, '{"name": 1, "name": "Ada"}')).toMatchObject({ passed: false });
});

test("an object is not unwrapped: a schema describes the whole answer", async () => {
  expect(await check({ type: "number" }, { result: 5 })).toMatchObject({ passed: false });
});

test("the schema false fails every answer", async () => {
  expect(await check(false, "x")).toMatchObject({ score: 0, passed: false });
});

test("its identity is the schema", async () => {
  expect((await prepareScorer(requestFor({ type: "schema", schema: person }))).identity).toEqual({
    type: "json_schema",
    schema: person,
  });
});

describe("a schema that does not compile is refused at load", () => {
  test.each<[string, unknown, string]>([
    ["a type that does not exist", { type: "strin" }, "strin"],
    ["a misspelt keyword", { type: "object", propertys: {} }, "propertys"],
    ["an unknown format", { type: "string", format: "e-mail" }, "e-mail"],
    ["a remote reference", { $ref: "https://example.com/person.json" }, "https://example.com/person.json"],
    ["a pattern that is not an expression", { type: "string", pattern: "(" }, "Unterminated group"],
    ["an unknown draft", { $schema: "http://json-schema.org/draft-04/schema#", type: "string" }, "draft-04"],
    ["something that is not a schema", "string", "an object or a boolean"],
  ])("%s", async (_, schema, words) => {
    const mistake = await mistakeIn(requestFor({ type: "schema", schema: schema as JsonSchema }));
    expect(mistake).toMatchObject({ code: "scorer-invalid", jsonPath: "$.tasks[3].expectedOutput.schema" });
    expect(mistake.message).toContain(words);
  });
});

test("fault row 41: what an answer inherits is not what a schema requires", async () => {
  expect(await check({ type: "object", required: ["constructor"] }, {})).toMatchObject({ passed: false });
  expect(await check({ type: "object", properties: { toString: { type: "string" } } }, {})).toMatchObject({
    passed: true,
  });
  const closed: JsonSchema = { type: "object", properties: { a: {} }, additionalProperties: false };
  expect(await check(closed, JSON.parse('{"__proto__": 1}'))).toMatchObject({
    reason: '(root) must NOT have additional properties: "__proto__"',
  });
});

test("fault row 42: a catastrophic pattern inside a schema is stopped and makes no score", async () => {
  const output = `${"a".repeat(40)}!`;
  expect(await check({ type: "string", pattern: "^(a+)+$" }, output)).toMatchObject({
    score: null,
    cause: "scorer-timeout",
  });
});

test("a schema that goes round in circles makes no score", async () => {
  expect(await check({ allOf: [{ $ref: "#" }] }, 1)).toMatchObject({ score: null, cause: "scorer-crashed" });
});

test("an answer that is valid but for a wrapper gets a hint", async () => {
  const score = await check(person, { result: { name: "Ada" } });
  expect(score).toMatchObject({
    passed: false,
    reason: expect.stringContaining('(the answer is wrapped in {"result": …}'),
  });
});
