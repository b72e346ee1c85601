import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import type { Evaluator } from "../contract/task.ts";
import type { Json } from "../shared/json/json.ts";
import { prepareScorer } from "./choose-scorer.ts";

async function isEqual(expected: Json, output: Json, evaluator?: Evaluator): Promise<boolean> {
  const { score } = await scoreAnswer(requestFor({ type: "exact", value: expected }, evaluator), output);
  return score === 1;
}

async function reasonFor(expected: Json, output: Json): Promise<string | null> {
  const score = await scoreAnswer(requestFor({ type: "exact", value: expected }), output);
  return score.score === null ? null : score.reason;
}

describe("equality", () => {
  test("the order of keys is irrelevant", async () => {
    expect(await isEqual({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
  });

  test("the order of a list is not", async () => {
    expect(await isEqual([1, 2], [2, 1])).toBe(false);
  });

  test("1 equals 1.0, and 0 equals -0", async () => {
    expect(await isEqual(1, JSON.parse("1.0"))).toBe(true);
    expect(await isEqual(0, -0)).toBe(true);
  });

  test('case 4: {"a":1} expected, {"b":2} given: fail', async () => {
    expect(await scoreAnswer(requestFor({ type: "exact", value: { a: 1 } }), { b: 2 })).toEqual({
      score: 0,
      passed: false,
      reason: 'member "a" is missing',
    });
  });

  test("an object with a member too many, or a longer list, is not equal", async () => {
    expect(await isEqual({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(await isEqual([1], [1, 1])).toBe(false);
  });

  test("an empty object, an empty list, an empty text, false, 0 and null all differ", async () => {
    const values: Json[] = [{}, [], "", false, 0, null];
    for (const a of values) for (const b of values) expect(await isEqual(a, b)).toBe(a === b);
  });

  test("null equals only null", async () => {
    expect(await isEqual(null, null)).toBe(true);
    expect(await isEqual(null, "null")).toBe(false);
    expect(await isEqual("", null)).toBe(false);
  });
});

describe("texts", () => {
  test("compare trimmed, at every depth", async () => {
    expect(await isEqual("5", " 5\n")).toBe(true);
    expect(await isEqual({ a: ["x "] }, { a: [" x"] })).toBe(true);
  });

  test("case 4: caseSensitive is true by default, and honoured both ways at every depth", async () => {
    expect(await isEqual({ a: ["Yes"] }, { a: ["yes"] })).toBe(false);
    expect(await isEqual({ a: ["Yes"] }, { a: ["yes"] }, { caseSensitive: true })).toBe(false);
    expect(await isEqual({ a: ["Yes"] }, { a: ["yes"] }, { caseSensitive: false })).toBe(true);
  });

  test("names of members keep their case and their spaces", async () => {
    expect(await isEqual({ A: 1 }, { a: 1 }, { caseSensitive: false })).toBe(false);
    expect(await isEqual({ "a ": 1 }, { a: 1 })).toBe(false);
  });
});

describe("a text against a number or a boolean, at the top", () => {
  test.each([
    ["25.0", 25],
    [" 25 ", 25],
    ["2.5e1", 25],
    ["-0.5", -0.5],
  ])("%j says the number %d, either way round", async (text, number) => {
    expect(await isEqual(number, text)).toBe(true);
    expect(await isEqual(text, number)).toBe(true);
  });

  test.each(["", " ", "0x0", "0 apples", "zero", "1e400", "Infinity", "NaN"])(
    "%j says no number",
    async (text) => {
      expect(await isEqual(0, text)).toBe(false);
      expect(await isEqual(text, 0)).toBe(false);
    },
  );

  test("true and false may be texts; their case counts unless told otherwise", async () => {
    expect(await isEqual(true, "true")).toBe(true);
    expect(await isEqual("false", false)).toBe(true);
    expect(await isEqual(true, "false")).toBe(false);
    expect(await isEqual(true, "True")).toBe(false);
    expect(await isEqual(true, "True", { caseSensitive: false })).toBe(true);
    expect(await isEqual(true, "1")).toBe(false);
  });

  test("a million digits and one letter are told to be no number in no time", async () => {
    expect(await isEqual(1, `${"1".repeat(1_000_000)}x`)).toBe(false);
  });

  test("two texts are compared as texts", async () => {
    expect(await isEqual("25", "25.0")).toBe(false);
  });

  test("inside an object or a list nothing is read", async () => {
    expect(await isEqual([25], ["25"])).toBe(false);
    expect(await isEqual({ a: true }, { a: "true" })).toBe(false);
  });

  test("a boolean is not a number", async () => {
    expect(await isEqual(1, true)).toBe(false);
  });

  test("the single answer of an object is at the top as well", async () => {
    expect(await isEqual(25, { result: "25.0" })).toBe(true);
  });

  test("strict switches trimming and reading off, and leaves caseSensitive alone", async () => {
    expect(await isEqual("5", " 5", { strict: true })).toBe(false);
    expect(await isEqual(25, "25", { strict: true })).toBe(false);
    expect(await isEqual(true, "true", { strict: true })).toBe(false);
    expect(await isEqual("A", "a", { strict: true, caseSensitive: false })).toBe(true);
  });
});

describe("reasons", () => {
  test("say what was expected and what came", async () => {
    expect(await reasonFor(5, 6)).toBe("expected 5, got 6");
    expect(await reasonFor(5, "six")).toBe('expected 5, got "six"');
    expect(await reasonFor("5", [5])).toBe('expected "5", got a list of 1');
    expect(await reasonFor(5, 5)).toBeNull();
  });

  test("say where, below the top", async () => {
    expect(await reasonFor({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toBe(
      "at $.a[1].b: expected 2, got 3",
    );
    expect(await reasonFor({ "x y": { z: 1 } }, { "x y": {} })).toBe('at $["x y"]: member "z" is missing');
    expect(await reasonFor({}, { z: 1 })).toBe('unexpected member "z"');
  });

  test("stay short, however long the answer is", async () => {
    const long = "x".repeat(1_000_000);
    expect((await reasonFor("y", long))?.length).toBeLessThan(200);
    expect((await reasonFor({ [long]: { a: 1 } }, { [long]: { a: 2 } }))?.length).toBeLessThan(400);
  });
});

describe("fault row 41: names that reach into prototypes", () => {
  test("__proto__ in an answer is a member like any other", async () => {
    const hostile = JSON.parse('{"__proto__": {"a": 1}}');
    expect(await isEqual({}, hostile)).toBe(false);
    expect(await isEqual(hostile, {})).toBe(false);
    expect(await isEqual(hostile, JSON.parse('{"__proto__": {"a": 1}}'))).toBe(true);
    expect(await isEqual(hostile, JSON.parse('{"__proto__": {"a": 2}}'))).toBe(false);
  });

  test("an expected `constructor` or `toString` is not met by the inherited one", async () => {
    expect(await isEqual({ constructor: null }, {})).toBe(false);
    expect(await isEqual({ toString: 1 }, {})).toBe(false);
  });

  test("a wrapper named by inheritance only is not unwrapped", async () => {
    expect(await isEqual(5, JSON.parse('{"__proto__": {"result": 5}}'))).toBe(false);
  });
});

describe("for any JSON", () => {
  const anyJson = fc.jsonValue({ maxDepth: 6 }) as fc.Arbitrary<Json>;

  test("a value equals itself, also after a trip through text", async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, async (value) => {
        expect(await isEqual({ value }, JSON.parse(JSON.stringify({ value })))).toBe(true);
      }),
    );
  });

  test("the order of keys never matters", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), anyJson), async (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(await isEqual({ value }, { value: turned })).toBe(true);
      }),
    );
  });

  test("it never throws, and gives 0 or 1 with a short reason for each 0", async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, fc.boolean(), fc.boolean(), async (a, b, strict, caseSensitive) => {
        const score = await scoreAnswer(
          requestFor({ type: "exact", value: a }, { strict, caseSensitive }),
          b,
        );
        expect(score.score === 1 || score.score === 0).toBe(true);
        if (score.score === 0) expect(score.reason).toMatch(/^.{1,600}$/su);
      }),
    );
  });

  test("equality goes both ways", async () => {
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, async (a, b) => {
        expect(await isEqual([a], [b])).toBe(await isEqual([b], [a]));
      }),
    );
  });

  test("a value nested far deeper than any file may be is still compared", async () => {
    const deep = (depth: number) => {
      let value: Json = 1;
      for (let level = 0; level < depth; level++) value = [value];
      return value;
    };
    expect(await isEqual(deep(50_000), deep(50_000))).toBe(true);
    expect(await isEqual(deep(50_000), deep(50_001))).toBe(false);
  });
});

test("its identity is the whole configuration, defaults filled in", async () => {
  expect((await prepareScorer(requestFor({ type: "exact", value: [1] }))).identity).toEqual({
    type: "exact_match",
    value: [1],
    caseSensitive: true,
    strict: false,
  });
});

describe("a wrapper around one side alone", () => {
  test.each<[string, Json, Json, string | null]>([
    ["the expectation", { result: 5 }, 5, "the expected value is wrapped in"],
    ["an answer that is an object", { a: 1 }, { result: { a: 1 } }, "the answer is wrapped in"],
    ["neither", { result: 5 }, { result: 6 }, null],
    ["another value", { result: 5 }, 6, null],
  ])("%s gets a hint where nothing else differs", async (_, expected, output, hint) => {
    const reason = await reasonFor(expected, output);
    if (hint === null) expect(reason).not.toContain("wrapped");
    else expect(reason).toContain(`(${hint} {"result": …}`);
  });
});
