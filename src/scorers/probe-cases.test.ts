import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countingSandbox } from "../../test/counting-sandbox.ts";
import { requestFor } from "../../test/scorer-request.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Evaluator, Expectation } from "../contract/task.ts";
import { UserError } from "../shared/user-error.ts";
import { prepareScorer, type ScorerRequest } from "./choose-scorer.ts";
import { type ProbedCase, probeCases } from "./probe-cases.ts";

const options = { noun: "task", seed: 0, allowVacuous: false };

interface Probed {
  verdict: "vacuous" | "weak" | "sound";
  words: string;
  member: string | null;
}

/** What probing says about one task. */
async function probed(
  expected: Expectation,
  evaluator?: Evaluator,
  more: Partial<ScorerRequest> = {},
): Promise<Probed> {
  const warnings: string[] = [];
  const request = requestFor(expected, evaluator, {
    ...more,
    warn: (warning) => void warnings.push(warning),
  });
  const { probing, programProbing } = await prepareScorer(request);
  const { file, jsonPath } = request;
  try {
    const found = await probeCases(
      [{ suite: "bench", id: "t", file, jsonPath, probing, programProbing }],
      options,
    );
    const words = [...warnings, ...found.warnings].join("; ");
    return { verdict: words === "" ? "sound" : "weak", words, member: null };
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== "expectation-vacuous") throw error;
    expect([error.exitCode, error.path]).toEqual([2, file]);
    return { verdict: "vacuous", words: error.message, member: error.jsonPath };
  }
}

const regex = (...patterns: string[]): Expectation => ({ type: "regex", patterns });
const schema = (body: object): Expectation => ({ type: "json_schema", schema: body as never });
const allTypes = ["null", "boolean", "object", "array", "number", "string"];

describe("an expectation that nearly anything meets is refused", () => {
  test.each<[string, Expectation, Evaluator?]>([
    ...[
      ".*",
      "^",
      "(?:x)?",
      "[\\s\\S]*",
      ".",
      "^(?!zzzz)",
      "x|",
      "$",
      "\\b|^$",
      "[^]",
      "\\w*",
      "x{0}",
      "(?=)",
    ].map((pattern): [string, Expectation] => [`the pattern ${pattern}`, regex(pattern)]),
    ["two patterns that say nothing", regex(".*", "^")],
    ["a pattern with the flag s", regex("^.*$"), { flags: "s" }],
    ["a pattern with the flag g", regex(".*"), { flags: "g" }],
    ["a sticky pattern", regex("\\w+"), { flags: "y" }],
    ["any lower case, which is `null` too", regex("^[a-z]+$")],
    ...[
      {},
      { title: "anything" },
      { properties: {} },
      { additionalProperties: true },
      { allOf: [{}] },
      { anyOf: [true, { type: "string" }] },
      { not: false },
      { minLength: 0 },
      { type: allTypes },
      { $ref: "#/definitions/any", definitions: { any: {} } },
      { required: [] },
      { required: ["result"] },
      { type: "object", required: ["result"] },
      { type: "string" },
      { type: ["string", "null"] },
      { oneOf: [{ type: "string" }, { type: "number" }] },
      { dependencies: { a: ["b"] } },
      { not: { const: "zzzz" } },
      { items: { type: "string" } },
      { type: "object", required: ["result"], properties: { result: { type: "string" } } },
    ].map((body): [string, Expectation] => [`the schema ${JSON.stringify(body)}`, schema(body)]),
    ["the schema true", { type: "json_schema", schema: true }],
    ["absTol 1e300", { type: "close_to", value: 1, absTol: 1e300 }],
    ["relTol 1e9", { type: "close_to", value: 5, relTol: 1e9 }],
    ["a tolerance that overflows", { type: "close_to", value: 1e300, relTol: 1e300 }],
    ["a tolerance of the value itself", { type: "close_to", value: 1000, absTol: 1000 }],
    ["a tolerance of 1 around 0", { type: "close_to", value: 0, absTol: 1 }],
    ["any message of an error", { type: "error", patterns: [".*"] }],
    ["an error that says something", { type: "error", patterns: ["^(?!zzz)"] }],
  ])("%s", async (_, expected, evaluator) => {
    expect(await probed(expected, evaluator)).toMatchObject({ verdict: "vacuous" });
  });

  test("with file, place, the answers it accepts and the reason", async () => {
    const { words, member } = await probed(regex("x|"));
    expect(member).toBe("$.tasks[3].expectedOutput.patterns");
    expect(words).toMatch(
      /^task t: wrong answers of several kinds pass: null, "", 0, \{\}, \[\], "[a-z]{12}"$/,
    );
    expect((await probed(schema({ type: "string" }))).words).toMatch(
      /^task t: any text passes: "", "[a-z]{12}"$/,
    );
    expect((await probed({ type: "close_to", value: 5, relTol: 2 })).member).toBe(
      "$.tasks[3].expectedOutput.relTol",
    );
  });
});

describe("an expectation that one kind of wrong answer meets is a warning", () => {
  test.each<[string, Expectation]>([
    ["any list", schema({ type: "array" })],
    ["any object", schema({ type: "object" })],
    ["any number", regex("^\\d+$")],
    [
      "any number in a member",
      schema({ type: "object", required: ["result"], properties: { result: { type: "number" } } }),
    ],
    ["a keyword of one letter", { type: "contains", keywords: ["q"] }],
    ["a common word for errors", { type: "error", contains: "error" }],
  ])("%s", async (_, expected) => {
    expect(await probed(expected)).toMatchObject({ verdict: "weak" });
  });

  test("that proposes what is missing", async () => {
    expect((await probed(schema({ type: "array" }))).words).toContain(
      "accepts []: add required members, or limits",
    );
  });
});

describe("an expectation is sound", () => {
  test.each<[string, Expectation, Evaluator?]>([
    ...["", 0, null, [], {}, "0", false].map((value): [string, Expectation] => [
      `exactly ${JSON.stringify(value)}`,
      { type: "exact", value },
    ]),
    ["the keyword 0", { type: "contains", keywords: ["0"] }],
    ["the keyword null", { type: "contains", keywords: ["Null"] }],
    ["words", { type: "contains", keywords: ["Hinton", "Hopfield"] }],
    ["a sign of Chinese", { type: "contains", keywords: ["水"] }],
    ["a date", regex("^\\d{4}-\\d\\d-\\d\\d$")],
    ["a pattern that is one text", regex("^0$")],
    ["nothing at all, as a pattern", regex("^$")],
    ["one constant", schema({ const: "" })],
    ["a list of constants", schema({ enum: ["", null, 0] })],
    ["nothing, as a schema", schema({ type: "null" })],
    ["the schema false", { type: "json_schema", schema: false }],
    ["members", schema({ type: "object", required: ["temperature"] })],
    ["a close number", { type: "close_to", value: 0 }],
    ["a number within a tenth", { type: "close_to", value: 5, relTol: 0.1 }],
    ["the words of an error", { type: "error", contains: "no such date" }],
    ["any message of one code", { type: "error", code: "rpc-error", patterns: ["."] }],
  ])("%s", async (_, expected, evaluator) => {
    expect(await probed(expected, evaluator)).toEqual({ verdict: "sound", words: "", member: null });
  });
});

test("the answer of another case is a wrong one, whose acceptance is a warning", async () => {
  const cases = await Promise.all(
    ["five", "twenty-five"].map(async (word, at): Promise<ProbedCase> => {
      const request = requestFor({ type: "contains", keywords: [word] });
      const { probing } = await prepareScorer(request);
      return { suite: "bench", id: `t${at}`, file: "f", jsonPath: "$", probing, answer: word };
    }),
  );
  expect((await probeCases(cases, options)).warnings).toEqual([
    'task t0 accepts "twenty-five", which answers something else: add longer keywords, or use exact',
  ]);
});

test("a pattern that never comes back is skipped with a warning, and the others are still probed", async () => {
  const hostile = "^(([a-z])+.)+[A-Z]([a-z])+$";
  const quick = { ...options, limitMs: 100 };
  const cases = await Promise.all(
    [hostile, ".*"].map(async (pattern, at): Promise<ProbedCase> => {
      const { probing } = await prepareScorer(requestFor(regex(pattern)));
      return {
        suite: "bench",
        id: `t${at}`,
        file: "f",
        jsonPath: "$",
        probing,
        answer: `${"a".repeat(60)}${at}`,
      };
    }),
  );
  await expect(probeCases(cases, quick)).rejects.toMatchObject({
    message: expect.stringContaining("task t1"),
  });
  const allowed = await probeCases(cases, { ...quick, allowVacuous: true });
  expect(allowed.warnings).toEqual(["task t0: its expectation could not be probed within 100 ms"]);
  expect(allowed.vacuous).toMatchObject([{ suite: "bench", caseId: "t1", why: null }]);
});

test("several are reported together, and a reason in the file allows one", async () => {
  const { probing } = await prepareScorer(requestFor(regex(".*")));
  const made = (id: string, more: Pick<ProbedCase, "allowVacuous"> = {}) => ({
    suite: "bench",
    id,
    file: "f",
    jsonPath: "$",
    probing,
    ...more,
  });
  await expect(
    probeCases(
      ["a", "b", "c"].map((id) => made(id)),
      options,
    ),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/^task a: .*; the same in 2 other tasks: b, c$/),
  });
  expect((await probeCases([made("a", { allowVacuous: "smoke test" })], options)).vacuous).toMatchObject([
    { caseId: "a", jsonPath: "$.expectedOutput.patterns", why: "smoke test" },
  ]);
});

describe("a custom scorer is asked in its sandbox", () => {
  async function probedScorer(name: string, text: string, more: object = {}) {
    await using folder = await temporaryFolder();
    await using sandbox = countingSandbox();
    mkdirSync(join(folder.path, "scorers"));
    writeFileSync(join(folder.path, "scorers", name), text);
    const at = { file: join(folder.path, "bench.json"), sandbox };
    const end = name.endsWith(".py")
      ? await probed({ value: [] }, { type: "custom", command: ["python3", `scorers/${name}`] }, at)
      : await probed({ type: "custom", customScorerPath: `./scorers/${name}`, ...more }, undefined, at);
    return { ...end, started: sandbox.commands.length };
  }

  test("one that always passes is refused", async () => {
    expect(await probedScorer("yes.mjs", "export default () => true;")).toMatchObject({
      verdict: "vacuous",
      member: "$.tasks[3].expectedOutput.customScorerPath",
      started: 1,
    });
    expect(await probedScorer("yes.py", "print('1')")).toMatchObject({
      verdict: "vacuous",
      member: "$.tasks[3].evaluator.command",
    });
  });

  test("one that compares is sound, with an empty value too", async () => {
    const compares =
      "export default ({ output, expected }) => JSON.stringify(output) === JSON.stringify(expected);";
    for (const value of [[1], [], "", 0])
      expect(await probedScorer("same.mjs", compares, { value })).toMatchObject({ verdict: "sound" });
  });

  test("one that breaks on a wrong answer is a warning", async () => {
    const breaks = "export default ({ output }) => output.result.length === 3;";
    const { verdict, words } = await probedScorer("breaks.mjs", breaks);
    expect(verdict).toBe("weak");
    expect(words).toContain(
      "task t: its scorer breaks on some wrong answers, which makes cells invalid: it threw:",
    );
  });
});
