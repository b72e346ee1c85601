import { describe, expect, test } from "vitest";
import { makeAnswer, requestFor } from "../../test/scorer-request.ts";
import type { Scorer, SeenFailure } from "../contract/scorer.ts";
import { type ExpectItem, Task } from "../contract/task.ts";
import type { Json } from "../shared/json/json.ts";
import { UserError } from "../shared/user-error.ts";
import { prepareScorer, type TaskRequest } from "./choose-scorer.ts";
import { probeCases } from "./probe-cases.ts";
import type { Parts } from "./several-parts.ts";
import { combinedProbing } from "./several-probing.ts";

function severalFor(expect: readonly ExpectItem[], more: Partial<TaskRequest> = {}): TaskRequest {
  const task = Task.parse({ id: "t", inputData: 1, expect });
  return { ...requestFor({ value: 1 }), task, ...more };
}

function scorerFor(...items: ExpectItem[]): Promise<Scorer> {
  return prepareScorer(severalFor(items));
}

async function scored(items: readonly ExpectItem[], output: Json) {
  const request = severalFor(items);
  return (await prepareScorer(request)).score(makeAnswer(request.task, output));
}

const failure: SeenFailure = {
  status: "error",
  code: "http-status",
  message: "HTTP 422: too long",
  statusCode: 422,
  isRetryable: false,
  isReported: true,
};

const isList: ExpectItem = { type: "json_schema", schema: { type: "array", minItems: 1 } };
const hasBoth: ExpectItem = { type: "contains", keywords: ["tea", "milk"] };
const isTea: ExpectItem = { value: ["tea"] };

describe("a score", () => {
  test("passes where every expectation is met", async () => {
    expect(await scored([isList, hasBoth], ["tea", "milk"])).toMatchObject({
      score: 1,
      passed: true,
      reason: null,
      details: { expectations: [{ scorerType: "json_schema" }, { scorerType: "contains", passed: true }] },
    });
  });

  test("is the mean of all, and names each that is not met", async () => {
    expect(await scored([isList, hasBoth, isTea], ["tea", 1])).toMatchObject({
      score: 0.5,
      passed: false,
      reason: expect.stringMatching(/^2 of 3 expectations not met: 2\. missing: "milk"; 3\. /),
      details: { expectations: [{ passed: true }, { passed: false, score: 0.5 }, { score: 0 }] },
    });
  });

  test("of alternatives is that of the first that passes; those after it are not tried", async () => {
    const item: ExpectItem = { anyOf: [isTea, hasBoth, isList] };

    expect(await scored([item], ["tea", "milk"])).toMatchObject({
      score: 1,
      passed: true,
      details: { expectations: [{ passed: true, anyOf: [{ passed: false }, { passed: true }] }] },
    });
    expect(await scored([item], "tea")).toMatchObject({
      score: 0.5,
      passed: false,
      reason: expect.stringContaining("1. no alternative is met: "),
    });
  });

  test("uses the evaluator of each expectation for that one alone", async () => {
    const strict: ExpectItem = { value: "tea", evaluator: { strict: true } };

    expect(await scored([{ value: "tea" }, strict], " tea ")).toMatchObject({
      details: { expectations: [{ passed: true }, { passed: false }] },
    });
  });

  test("is none where a scorer fails, and says which", async () => {
    const slow: ExpectItem = { type: "regex", patterns: ["^(a+)+$"] };

    expect(await scored([hasBoth, slow], `${"a".repeat(40)}!`)).toMatchObject({
      score: null,
      cause: "scorer-timeout",
      message: expect.stringMatching(/^expectation 2: /),
      details: { expectations: [{ passed: false }, { score: null }] },
    });
  });
});

describe("an expected error", () => {
  const refuses: ExpectItem = { type: "error", status: 422 };

  test("may have several expectations of its own", async () => {
    const scorer = await scorerFor(refuses, { type: "error", code: "http-status", contains: "too short" });
    const answer = { ...makeAnswer(severalFor([refuses]).task, null), failure };

    expect(scorer.sees).toContain("error");
    expect(await scorer.score(answer)).toMatchObject({
      score: 0.5,
      details: { expectations: [{ passed: true }, { passed: false }] },
    });
  });

  test("may be an alternative to an answer", async () => {
    const request = severalFor([{ anyOf: [isTea, refuses] }]);
    const scorer = await prepareScorer(request);

    expect(await scorer.score(makeAnswer(request.task, ["tea"]))).toMatchObject({ passed: true });
    expect(await scorer.score({ ...makeAnswer(request.task, null), failure })).toMatchObject({
      passed: true,
      details: {
        expectations: [{ anyOf: [{ reason: expect.stringMatching(/^there is no answer: /) }, { score: 1 }] }],
      },
    });
  });
});

describe("mistakes", () => {
  test.each<[string, ExpectItem[], string, string]>([
    ["an unknown scorer", [isTea, { type: "exct", value: 1 }], "expect[1].type", "scorer-invalid"],
    ["no keywords", [{ type: "contains" }], "expect[0].keywords", "expectation-vacuous"],
    [
      "an alternative with a broken pattern",
      [{ anyOf: [isTea, { type: "regex", patterns: ["("] }] }],
      "expect[0].anyOf[1].patterns[0]",
      "scorer-invalid",
    ],
    [
      "an unknown scorer of its evaluator",
      [{ value: 1, evaluator: { type: "exct" } }],
      "expect[0].evaluator.type",
      "scorer-invalid",
    ],
    ["an answer and an error at once", [isTea, { type: "error", status: 1 }], "expect[1]", "scorer-invalid"],
    [
      "one that everything meets",
      [isTea, { type: "regex", patterns: [".*"] }],
      "expect[1]",
      "expectation-vacuous",
    ],
  ])("%s is refused with its place", async (_, items, path, code) => {
    const error = await prepareScorer(severalFor(items)).catch((error: unknown) => error);

    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({ code, jsonPath: `$.tasks[3].${path}` });
  });
});

describe("wrong answers", () => {
  const options = { noun: "task", seed: 1, allowVacuous: false };
  const probed = async (...items: ExpectItem[]) => {
    const { probing, programProbing } = await scorerFor(...items);
    const place = { suite: "s", id: "t", file: "/s.json", jsonPath: "$.tasks[3]" };
    return probeCases([{ ...place, probing, programProbing }], options);
  };
  const isText: ExpectItem = { type: "json_schema", schema: { type: "string" } };

  test("have to pass all expectations: one that lets any text through is fine beside another", async () => {
    expect(await probed(isText, { type: "contains", keywords: ["Paris"] })).toEqual({
      vacuous: [],
      warnings: [],
    });
    expect(await probed(isText, { value: "x" })).toEqual({ vacuous: [], warnings: [] });
  });

  test("are put to programs too, and to what is expected besides", async () => {
    const program = (passes: (answer: Json) => boolean | null): Scorer => ({
      type: "custom",
      identity: "program",
      programProbing: {
        ...{ member: ".evaluator.command", program: "p", maxCases: 3, isRight: () => false },
        ...{ readsWrappers: true, advice: "compare" },
        ask: async (answers) => ({ passed: answers.map(passes), problem: null }),
      },
      score: () => ({ score: 1, passed: true, reason: null }),
    });
    const part = (scorer: Scorer): Parts => ({
      isAny: false,
      part: { path: ".expect[0]", type: "custom", task: requestFor({ value: 1 }).task, scorer },
    });
    const texts = await scorerFor(isText, isText);
    const passed = async (...scorers: Scorer[]) => {
      const { programProbing } = combinedProbing(scorers.map(part));
      return (await programProbing?.ask(["a", 1, ""]))?.passed;
    };

    expect(
      await passed(
        program(() => true),
        texts,
      ),
    ).toEqual([true, false, true]);
    expect(
      await passed(
        program((answer) => answer === "a"),
        texts,
      ),
    ).toEqual([true, false, false]);
    expect(
      await passed(
        program(() => null),
        texts,
      ),
    ).toEqual([null, false, null]);
    expect(
      await passed(
        program(() => true),
        await scorerFor({ value: 1 }),
      ),
    ).toBeUndefined();
  });

  test("are refused where they pass all of them, or one alternative", async () => {
    const refused = { code: "expectation-vacuous", jsonPath: "$.tasks[3].expect" };

    await expect(probed(isText, { type: "regex", patterns: ["^[^0-9]*$"] })).rejects.toMatchObject(refused);
    await expect(probed({ anyOf: [{ value: 5 }, isText] })).rejects.toMatchObject(refused);
  });
});
