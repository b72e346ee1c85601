import { expect, test } from "vitest";
import { requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import type { Evaluator } from "../contract/task.ts";
import type { Json } from "../shared/json/json.ts";
import { prepareScorer } from "./choose-scorer.ts";

function contains(keywords: string[], output: Json, evaluator?: Evaluator) {
  return scoreAnswer(requestFor({ type: "contains", keywords }, evaluator), output);
}

test("all keywords found is a pass", async () => {
  expect(await contains(["TypeScript", "Microsoft"], "TypeScript is by Microsoft.")).toEqual({
    score: 1,
    passed: true,
    reason: null,
  });
});

test("the score is the share of keywords found, and the reason names the others", async () => {
  expect(await contains(["a", "b", "x", "y"], "abc")).toEqual({
    score: 0.5,
    passed: false,
    reason: 'missing: "x", "y"',
  });
});

test("values at any depth are searched: texts, numbers, booleans and null", async () => {
  const output = { a: [{ b: "deep down" }, 42.5], c: true, d: null };
  expect(await contains(["deep", "42.5", "true", "null"], output)).toMatchObject({ passed: true });
});

test("case 4: a keyword found only in a key name is not found", async () => {
  expect(await contains(["microsoft"], { microsoft: { microsoft: "x" } })).toMatchObject({
    score: 0,
    passed: false,
  });
});

test("case 4: caseSensitive is false by default, and honoured both ways", async () => {
  expect(await contains(["JAVA"], "java")).toMatchObject({ passed: true });
  expect(await contains(["JAVA"], "java", { caseSensitive: false })).toMatchObject({ passed: true });
  expect(await contains(["JAVA"], "java", { caseSensitive: true })).toMatchObject({ passed: false });
});

test("a keyword is not pieced together from two values", async () => {
  expect(await contains(["ab"], ["a", "b"])).toMatchObject({ passed: false });
});

test("punctuation in a keyword is not a pattern", async () => {
  expect(await contains(["a.c"], "abc")).toMatchObject({ passed: false });
  expect(await contains(["C++ (11)"], "in C++ (11)")).toMatchObject({ passed: true });
});

test("fault row 41: the value of a member __proto__ counts, what is inherited does not", async () => {
  expect(await contains(["secret"], JSON.parse('{"__proto__": "secret"}'))).toMatchObject({ passed: true });
  expect(await contains(["function"], {})).toMatchObject({ passed: false });
});

test("a reason with a thousand missing keywords stays short", async () => {
  const keywords = Array.from({ length: 1000 }, (_, n) => `keyword ${n}`);
  const score = await contains(keywords, "nothing");
  const reason = score.score === 0 ? (score.reason ?? "") : "";
  expect(reason.length).toBeLessThanOrEqual(400);
  expect(reason).toMatch(/"keyword \d+", …$/);
});

test("its identity is the whole configuration, defaults filled in", async () => {
  expect((await prepareScorer(requestFor({ type: "contains", keywords: ["a"] }))).identity).toEqual({
    type: "contains",
    keywords: ["a"],
    caseSensitive: false,
  });
});
