import { describe, expect, test } from "vitest";
import { makeAnswer, mistakeIn, requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import type { Evaluator } from "../contract/task.ts";
import type { Json } from "../shared/json/json.ts";
import { prepareScorer } from "./choose-scorer.ts";

const catastrophe = { patterns: ["^(a+)+$"], text: `${"a".repeat(40)}!` };

function matches(patterns: string[], output: Json, evaluator?: Evaluator) {
  return scoreAnswer(requestFor({ type: "regex", patterns }, evaluator), output);
}

test("all patterns matching is a pass", async () => {
  expect(await matches(["^The", "\\d+"], "The answer is 42")).toEqual({
    score: 1,
    passed: true,
    reason: null,
  });
});

test("the score is the share of patterns that match, and the reason names the others", async () => {
  expect(await matches(["a", "x", "b", "y$"], "ab")).toEqual({
    score: 0.5,
    passed: false,
    reason: "no match for /x/, /y$/",
  });
});

test("flags are the evaluator's", async () => {
  expect(await matches(["^hello"], "say\nHELLO")).toMatchObject({ passed: false });
  expect(await matches(["^hello"], "say\nHELLO", { flags: "im" })).toMatchObject({ passed: true });
});

test.each(["g", "y", "gy"])("with the flag %s every match begins at the beginning", async (flags) => {
  const scorer = await prepareScorer(requestFor({ type: "regex", patterns: ["a"] }, { flags }));
  const task = requestFor({ value: 1 }).task;
  for (let round = 0; round < 5; round++)
    expect(await scorer.score(makeAnswer(task, "a"))).toMatchObject({ passed: true });
});

test("a text is matched as it is, anything else as its compact JSON", async () => {
  expect(await matches(["^a b$"], "a b")).toMatchObject({ passed: true });
  expect(await matches(['^\\{"a":\\[1,true,null\\]\\}$'], { a: [1, true, null] })).toMatchObject({
    passed: true,
  });
  expect(await matches(["^42$"], 42)).toMatchObject({ passed: true });
  expect(await matches(["^null$"], null)).toMatchObject({ passed: true });
});

test("the single answer of an object is matched", async () => {
  expect(await matches(["^ok$"], { result: "ok", took: 5 })).toMatchObject({ passed: true });
  expect(await matches(['^\\{"x":1\\}$'], { output: { x: 1 } })).toMatchObject({ passed: true });
});

test("more matches than there are threads all come to an end", async () => {
  const scores = await Promise.all(Array.from({ length: 40 }, (_, n) => matches([`^${n}$`], `${n}`)));
  expect(scores.every((score) => score.score === 1)).toBe(true);
});

test("its identity is the whole configuration, defaults filled in", async () => {
  const identity = { type: "regex", patterns: ["a"], flags: "" };
  expect((await prepareScorer(requestFor({ type: "matches", patterns: ["a"] }))).identity).toEqual(identity);
});

describe("what is wrong with a pattern is said at load", () => {
  test("a pattern that does not compile", async () => {
    const mistake = await mistakeIn(requestFor({ type: "regex", patterns: ["a", "("] }));
    expect(mistake).toMatchObject({
      code: "scorer-invalid",
      exitCode: 2,
      jsonPath: "$.tasks[3].expectedOutput.patterns[1]",
    });
    expect(mistake.message).toContain("Unterminated group");
  });

  test("a pattern that only its flags make wrong", async () => {
    const mistake = await mistakeIn(requestFor({ type: "regex", patterns: ["\\-"] }, { flags: "u" }));
    expect(mistake.jsonPath).toBe("$.tasks[3].expectedOutput.patterns[0]");
  });

  test("flags that do not exist", async () => {
    const mistake = await mistakeIn(requestFor({ type: "regex", patterns: ["a"] }, { flags: "ix" }));
    expect(mistake).toMatchObject({ code: "scorer-invalid", jsonPath: "$.tasks[3].evaluator.flags" });
  });

  test("a pattern of more than 1000 characters", async () => {
    expect((await prepareScorer(requestFor({ type: "regex", patterns: ["a".repeat(1000)] }))).type).toBe(
      "regex",
    );
    const mistake = await mistakeIn(requestFor({ type: "regex", patterns: ["a".repeat(1001)] }));
    expect(mistake).toMatchObject({
      code: "scorer-invalid",
      jsonPath: "$.tasks[3].expectedOutput.patterns[0]",
    });
  });
});

test("case 5, fault row 42: a catastrophic pattern is stopped and makes no score; others finish meanwhile", async () => {
  const ends: string[] = [];
  const stopped = matches(catastrophe.patterns, catastrophe.text).finally(() => ends.push("catastrophe"));
  const other = matches(["b+"], "abc").finally(() => ends.push("other"));

  expect(await other).toMatchObject({ score: 1 });
  expect(await stopped).toMatchObject({
    score: null,
    cause: "scorer-timeout",
    message: "/^(a+)+$/ ran longer than 1000 ms",
  });
  expect(ends).toEqual(["other", "catastrophe"]);
});

test("fault row 42: when every thread is held by such a pattern, what waits gets a new one", async () => {
  const held = Array.from({ length: 5 }, () => matches(catastrophe.patterns, catastrophe.text));
  const waiting = matches(["b+"], "abc");

  expect((await Promise.all(held)).map((score) => score.score)).toEqual([null, null, null, null, null]);
  expect(await waiting).toMatchObject({ score: 1 });
});
