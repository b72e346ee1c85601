import { describe, expect, test } from "vitest";
import { mistakeIn, requestFor } from "../../test/scorer-request.ts";
import type { Expectation } from "../contract/task.ts";
import { canonicalScorerType, prepareScorer, scorerNames } from "./choose-scorer.ts";

describe("which scorer", () => {
  test("the evaluator's type comes first", async () => {
    const request = requestFor({ type: "exact", value: 1, keywords: ["a"] }, { type: "contains" });
    expect((await prepareScorer(request)).type).toBe("contains");
  });

  test("then the expectation's type", async () => {
    expect((await prepareScorer(requestFor({ type: "close_to", value: 1 }, { strict: true }))).type).toBe(
      "close_to",
    );
  });

  test("then what --evaluator says", async () => {
    const request = requestFor({ keywords: ["a"] }, undefined, { fallbackType: "contains" });
    expect((await prepareScorer(request)).type).toBe("contains");
  });

  test.each<[alias: string, type: string, expected: Expectation]>([
    ["exact", "exact_match", { value: 1 }],
    ["matches", "regex", { patterns: ["a"] }],
    ["schema", "json_schema", { schema: { type: "string" } }],
    ["numeric", "close_to", { value: 1 }],
    ["tool_error", "error", { status: 422 }],
  ])("the alias %s means %s, wherever it is written", async (alias, type, expected) => {
    expect(canonicalScorerType(alias)).toBe(type);
    expect((await prepareScorer(requestFor(expected, { type: alias }))).type).toBe(type);
    expect((await prepareScorer(requestFor({ ...expected, type: alias }))).type).toBe(type);
    expect((await prepareScorer(requestFor(expected, undefined, { fallbackType: alias }))).type).toBe(type);
  });

  test("an alias and its type make scorers of the same identity", async () => {
    const alias = await prepareScorer(requestFor({ value: 1 }, { type: "numeric" }));
    const type = await prepareScorer(requestFor({ value: 1 }, { type: "close_to" }));
    expect(alias.identity).toEqual(type.identity);
  });

  test("every listed name has a type, and a name of Object.prototype has none", async () => {
    expect(scorerNames.every((name) => canonicalScorerType(name) !== null)).toBe(true);
    expect(canonicalScorerType("constructor")).toBeNull();
    expect(canonicalScorerType("__proto__")).toBeNull();
  });

  test("an unknown type is refused with its place and the nearest name", async () => {
    const mistake = await mistakeIn(requestFor({ value: 1 }, { type: "exact_mach" }));
    expect(mistake).toMatchObject({
      code: "scorer-invalid",
      exitCode: 2,
      path: "/suite/benchmark.json",
      jsonPath: "$.tasks[3].evaluator.type",
    });
    expect(mistake.hint).toBe("did you mean exact_match?");
  });

  test("an unknown type in the expectation is reported by its own place", async () => {
    expect((await mistakeIn(requestFor({ type: "contain", keywords: ["a"] }))).jsonPath).toBe(
      "$.tasks[3].expectedOutput.type",
    );
  });

  test.each<[type: string, expected: Expectation, unread: string]>([
    ["exact_match", { value: 1, keywords: ["a"] }, "keywords"],
    ["contains", { type: "contains", keywords: ["a"], patterns: ["b"] }, "patterns"],
    ["regex", { type: "regex", patterns: ["b"], schema: {} }, "schema"],
    ["error", { type: "error", status: 422, keywords: ["a"] }, "keywords"],
  ])("%s refuses what it would not look at", async (type, expected, unread) => {
    expect(await mistakeIn(requestFor(expected))).toMatchObject({
      ...{ code: "scorer-invalid", jsonPath: `$.tasks[3].expectedOutput.${unread}` },
      message: expect.stringContaining(`${type} does not look at ${unread}`),
    });
  });

  test("the right answer may stand beside a looser expectation", async () => {
    const expected = { type: "contains", keywords: ["a"], value: "an a" };
    expect((await prepareScorer(requestFor(expected))).type).toBe("contains");
  });

  test("an unknown --evaluator is reported by the task that needed it", async () => {
    const mistake = await mistakeIn(requestFor({ value: 1 }, undefined, { fallbackType: "zzzzzzzz" }));
    expect(mistake).toMatchObject({ code: "scorer-invalid", jsonPath: "$.tasks[3]" });
    expect(mistake.hint).toContain("known: exact_match");
  });
});

describe("vacuous expectations are refused at load, with file and place", () => {
  const cases: [string, Expectation, string][] = [
    ["no keywords", { type: "contains" }, "keywords"],
    ["an empty list of keywords", { type: "contains", keywords: [] }, "keywords"],
    ["an empty keyword", { type: "contains", keywords: ["a", ""] }, "keywords[1]"],
    ["no patterns", { type: "regex" }, "patterns"],
    ["an empty list of patterns", { type: "regex", patterns: [] }, "patterns"],
    ["an empty pattern", { type: "regex", patterns: [""] }, "patterns[0]"],
    ["no schema", { type: "json_schema" }, "schema"],
    ["no value for exact_match", { type: "exact_match" }, "value"],
    ["no value for close_to", { type: "close_to" }, "value"],
    ["a value for close_to that is not a number", { type: "close_to", value: "1.5" }, "value"],
    ["no rubric", { type: "llm_judge" }, "judgePrompt"],
    ["an empty rubric", { type: "llm_judge", judgePrompt: "  " }, "judgePrompt"],
    ["a tool_error with an empty text", { type: "tool_error", contains: "" }, "contains"],
    ["a custom scorer that is not named", { type: "custom" }, "customScorerPath"],
    ["a custom scorer that is missing", { type: "custom", customScorerPath: "./no.mjs" }, "customScorerPath"],
  ];
  test.each(cases)("%s", async (_, expected, member) => {
    expect(await mistakeIn(requestFor(expected))).toMatchObject({
      code: "expectation-vacuous",
      exitCode: 2,
      path: "/suite/benchmark.json",
      jsonPath: `$.tasks[3].expectedOutput.${member}`,
    });
  });

  test("case 4: a misspelt `keyword` leaves contains without keywords, so it is refused", async () => {
    const misspelt = { type: "contains", keyword: ["Microsoft"] } as Expectation;
    expect((await mistakeIn(requestFor(misspelt))).exitCode).toBe(2);
  });

  test("null is a value one may expect", async () => {
    expect((await prepareScorer(requestFor({ type: "exact", value: null }))).type).toBe("exact_match");
  });

  test("the schema false is not a vacuous one: it demands", async () => {
    expect((await prepareScorer(requestFor({ type: "json_schema", schema: false }))).type).toBe(
      "json_schema",
    );
  });
});
