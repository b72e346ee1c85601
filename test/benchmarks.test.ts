import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { Benchmark } from "../src/contract/benchmark.ts";
import type { Scorer } from "../src/contract/scorer.ts";
import type { Task } from "../src/contract/task.ts";
import { loadBenchmark } from "../src/levels/unit/benchmark/load-benchmark.ts";
import { prepareScorer } from "../src/scorers/choose-scorer.ts";
import type { Json, JsonObject } from "../src/shared/json/json.ts";
import { compileSchema } from "../src/shared/json/json-schema.ts";
import { makeAnswer, requestFor } from "./scorer-request.ts";

const folder = resolve(import.meta.dirname, "../benchmarks");
const names = ["coding-easy", "web-search-basic", "gaia-v1", "toolbench-lite"] as const;
const [codingEasy, webSearch, gaia, toolbench] = names.map((name) => read(name)) as [
  Benchmark,
  Benchmark,
  Benchmark,
  Benchmark,
];

function read(name: string): Benchmark {
  return Benchmark.parse(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")));
}

const scorers = new Map<Task, Promise<Scorer>>();

async function passes(task: Task, output: Json): Promise<boolean> {
  const scorer = scorers.get(task) ?? prepareScorer(requestFor(task.expectedOutput ?? {}, task.evaluator));
  scorers.set(task, scorer);
  const score = await (await scorer).score(makeAnswer(task, output));
  return "passed" in score && score.passed;
}

/** Answers of a skill that did not do its work: the input, a failure, or nothing. */
function nonAnswers({ inputData }: Task): Json[] {
  const texts = [
    JSON.stringify(inputData),
    "Error: connection refused",
    "TypeError: Cannot read properties of undefined (reading 'result')",
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "Traceback (most recent call last):\n  File \"skill.py\", line 1, in <module>\nKeyError: 'query'",
    "500 Internal Server Error",
    "Request timed out after 30000 ms",
    "I'm sorry, I cannot help with that.",
    "null",
  ] as string[];
  const wrapped = texts.flatMap((text) => [
    text,
    { result: text },
    { error: text },
    { answer: text },
    [text],
  ]);
  return [
    inputData as Json,
    { result: inputData as Json },
    null,
    {},
    [],
    { result: null },
    { error: {} },
    ...wrapped,
  ];
}

test.each([
  ["web-search-basic", "web", 8, 8],
  ["gaia-v1", "general", 12, 100],
  ["toolbench-lite", "tool-use", 12, 100],
])("%s is version 1.0.0, scored by the mean, of its domain and size", async (name, domain, least, most) => {
  const { benchmark, warnings } = await loadBenchmark(`${folder}/${name}.json`);

  expect(benchmark).toMatchObject({
    id: name,
    version: "1.0.0",
    domain,
    scoringMethod: "mean",
    maxLatencyMs: 30_000,
  });
  expect(benchmark.tasks.length).toBeGreaterThanOrEqual(least);
  expect(benchmark.tasks.length).toBeLessThanOrEqual(most);
  expect(warnings).toEqual([]);
});

test.each(names)(
  "%s: no expectation is met by the input returned whole, by an error text or by nothing",
  async (name) => {
    for (const task of read(name).tasks)
      for (const output of nonAnswers(task))
        expect(await passes(task, output), `${task.id} passed with ${JSON.stringify(output)}`).toBe(false);
  },
);

test.each(["web-search-basic", "gaia-v1", "toolbench-lite"])(
  "%s: an empty text is not an answer",
  async (name) => {
    for (const task of read(name).tasks)
      for (const text of ["", " ", ...Object.values(task.inputData as JsonObject)])
        for (const output of [text, { result: text }])
          expect(await passes(task, output), task.id).toBe(false);
  },
);

test.each(names)("%s: every task can be scored, and says what it is about", async (name) => {
  for (const { expectedOutput, evaluator, description, tags, timeoutMs } of read(name).tasks) {
    const scorer = await prepareScorer(requestFor(expectedOutput ?? {}, evaluator));
    expect(["exact_match", "contains", "close_to", "json_schema"]).toContain(scorer.type);
    expect(description).toMatch(/^[A-Z].{8,}/);
    expect(tags.length).toBeGreaterThan(0);
    expect(timeoutMs).toBeLessThanOrEqual(30_000);
  }
});

test("numbers and booleans of coding-easy are accepted as text, too", async () => {
  const [sum] = codingEasy.tasks as [Task];

  for (const output of [2, "2", "2.0", { result: 2 }]) expect(await passes(sum, output)).toBe(true);
});

describe("web-search-basic", () => {
  test("asks for the eight facts of its version", () => {
    const rows = webSearch.tasks.map(({ id, inputData, expectedOutput, evaluator, timeoutMs }) => [
      id,
      (inputData as { query: string }).query,
      expectedOutput?.keywords ?? expectedOutput?.type,
      evaluator,
      timeoutMs,
    ]);
    const plain = { type: "contains", caseSensitive: false };

    expect(rows).toEqual([
      ["web_001", "2024 Nobel Prize Physics", ["Hinton", "Hopfield"], plain, 15_000],
      ["web_002", "Python creator", ["Guido van Rossum"], plain, 15_000],
      ["web_003", "TypeScript", ["JavaScript", "Microsoft"], plain, 15_000],
      ["web_004", "largest planet", ["Jupiter"], plain, 15_000],
      ["web_005", "speed of light", ["299"], plain, 15_000],
      ["web_006", "MCP Protocol", ["Model Context Protocol"], plain, 15_000],
      ["web_007", "machine learning", ["artificial intelligence", "learn"], plain, 15_000],
      ["web_008", "TypeScript", "json_schema", { type: "json_schema" }, 15_000],
    ]);
  });

  test.each<[Json, boolean]>([
    [{ result: "A superset of JavaScript", source: "https://www.typescriptlang.org/" }, true],
    [{ result: "By Microsoft" }, true],
    [{ result: "JavaScript" }, true],
    [{ result: "JS, typed" }, false],
    [{ result: "A language with types" }, false],
    [{ result: "Microsoft", source: 7 }, false],
    [{ result: ["JavaScript and Microsoft"] }, false],
    [{ source: "JavaScript and Microsoft" }, false],
    ["JavaScript and Microsoft", false],
  ])("web_008 on %j: %j", async (output, expected) => {
    const task = webSearch.tasks.at(-1) as Task;

    expect(await passes(task, output)).toBe(expected);
  });
});

describe("gaia-v1", () => {
  const isPrime = (n: number) =>
    n > 1 && !Array.from({ length: n - 2 }, (_, at) => at + 2).some((d) => n % d === 0);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const byLength = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
  // Each worked out here from the question alone.
  const answers: Record<string, Json> = {
    gaia_001: Math.sqrt(144) * 2,
    gaia_002: (3 * 60 - 45) / 9,
    gaia_003: ["Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Monday"][100 % 7] ?? null,
    gaia_004: 13 * 60 + 5 - (9 * 60 + 40) - 20,
    gaia_005: ["pear", "fig", "banana", "kiwi", "apple"].sort(byLength)[2] ?? null,
    gaia_006: [..."Mississippi"].filter((letter) => letter === "s").length ** 2,
    gaia_007: (2.5 * 1000) / 4,
    gaia_008: range(10, 30)
      .filter(isPrime)
      .reduce((a, b) => a + b),
    gaia_009: 0b101101 + 5,
    gaia_010: ((12 + 18 + 25 + 40) / 4) * 3,
    gaia_011: new Date(Date.UTC(2024, 0, 20 + 45)).toISOString().slice(0, 10),
    gaia_012: 80 * 0.75 * 1.1,
    gaia_013: ((98.6 - 32) * 5) / 9 + 10,
    gaia_014: [...String(1000 + 900 + 90 + 4)].reduce((total, digit) => total + Number(digit), 0),
    gaia_015: (8 + 3) * 2,
    gaia_016: `${24 * 2}, ${24 * 2 * 2}`,
  };

  test("says that these are samples, not the GAIA dataset, and not comparable", () => {
    expect(gaia.name).toMatch(/\(sample\)$/);
    expect(gaia.metadata.notice).toMatch(/samples.*not the GAIA dataset.*not comparable/);
  });

  test.each(gaia.tasks.map((task) => [task.id, task] as const))(
    "%s expects the right answer",
    async (id, task) => {
      expect(Object.keys(answers)).toHaveLength(gaia.tasks.length);

      expect(await passes(task, { result: answers[id] ?? null })).toBe(true);
    },
  );

  test("a text is compared without case", async () => {
    const weekday = gaia.tasks.find(({ id }) => id === "gaia_003") as Task;

    expect(await passes(weekday, "THURSDAY")).toBe(true);
    expect(await passes(weekday, "Wednesday")).toBe(false);
  });
});

describe("toolbench-lite", () => {
  interface Tool {
    name: string;
    description: string;
    parameters: object;
  }
  interface Call {
    tool: { const: string | null };
    args?: { const: Record<string, Json> };
  }
  const tasks = toolbench.tasks.map((task) => {
    const { instruction, tools_available: tools } = task.inputData as unknown as {
      instruction: string;
      tools_available: Tool[];
    };
    const { schema } = task.expectedOutput ?? {};
    const { tool, args } = (schema as unknown as { properties: Call }).properties;
    return { task, instruction, tools, tool: tool.const, args: args?.const };
  });

  test("is a sample, most tasks have tools that lead astray, and one fits none", () => {
    expect(toolbench.name).toMatch(/\(sample\)$/);
    expect(toolbench.metadata.notice).toMatch(/samples.*not the ToolBench dataset.*not comparable/);
    expect(tasks.filter(({ tools }) => tools.length > 1).length).toBeGreaterThan(tasks.length / 2);
    expect(tasks.filter(({ tool }) => tool === null)).toHaveLength(1);
  });

  test("every expected call is one that its tool takes, made of what the instruction says", () => {
    for (const { task, instruction, tools, tool, args } of tasks) {
      if (tool === null) continue;
      const schema = compileSchema(tools.find(({ name }) => name === tool)?.parameters);
      if (!schema.ok) throw new Error(schema.problem);
      expect(schema.validate(args), task.id).toEqual([]);
      for (const value of Object.values(args ?? {}).flat()) expect(instruction).toContain(String(value));
    }
  });

  test("the call passes, in any order of members; another tool, another value or one more argument does not", async () => {
    for (const { task, tools, tool, args } of tasks) {
      if (tool === null) continue;
      expect(await passes(task, { args: args ?? null, tool })).toBe(true);
      expect(await passes(task, { tool, args: { ...args, extra: 1 } })).toBe(false);
      expect(await passes(task, { tool, args: {} })).toBe(false);
      expect(await passes(task, { tool: null })).toBe(false);
      for (const { name } of tools)
        if (name !== tool) expect(await passes(task, { tool: name, args: args ?? null })).toBe(false);
    }
  });

  test("where no tool fits, null passes and every tool fails", async () => {
    const { task, tools } = tasks.find(({ tool }) => tool === null) ?? {};

    expect(await passes(task as Task, { tool: null })).toBe(true);
    expect(await passes(task as Task, { tool: null, args: {} })).toBe(true);
    for (const { name } of tools ?? [])
      expect(await passes(task as Task, { tool: name, args: {} })).toBe(false);
  });
});
