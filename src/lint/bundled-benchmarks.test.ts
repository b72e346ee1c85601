import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Benchmark } from "../contract/benchmark.ts";
import { AdapterConfig, SkillManifest, type UnitSkill } from "../contract/unit-skill.ts";
import { benchmarkProblem } from "../levels/unit/execute-files.ts";
import { type FilesCheck, filesChecks, inspectFiles } from "./inspect-files.ts";

const root = resolve(import.meta.dirname, "../..");

function readJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(root, ...path), "utf8"));
}

function loadSkill(name: string): UnitSkill {
  const dir = join(root, "examples", name);
  const { adapterType, entrypoint, ...rest } = SkillManifest.parse(readJson("examples", name, "skill.json"));
  const config = AdapterConfig.parse(readJson("examples", name, "adapter.config.json"));
  const adapter = { type: adapterType, entrypoint, config };
  return { ...rest, dir, manifest: join(dir, "skill.json"), adapter, digest: "sha256:0" };
}

const codingEasy = Benchmark.parse(readJson("benchmarks/coding-easy.json"));
const skillQuality = Benchmark.parse(readJson("benchmarks/skill-quality.json"));

test("coding-easy has the twenty tasks of its version", () => {
  const rows = codingEasy.tasks.map(({ inputData, expectedOutput }) => {
    const input = inputData as { expression?: string; operation?: string; input?: string };
    return [input.expression ?? `${input.operation} ${input.input}`, expectedOutput?.value];
  });

  expect(codingEasy).toMatchObject({
    id: "coding-easy",
    version: "1.1.0",
    domain: "coding",
    maxLatencyMs: 30_000,
  });
  expect(rows).toEqual([
    ["1+1", 2],
    ["10*5", 50],
    ["5!", 120],
    ["reverse hello", "olleh"],
    ["is_palindrome racecar", true],
    ["100/4", 25],
    ["2+3*4", 14],
    ["(2+3)*4", 20],
    ["0!", 1],
    ["10!", 3628800],
    ["reverse abcdef", "fedcba"],
    ["reverse a", "a"],
    ["is_palindrome hello", false],
    ["is_palindrome madam", true],
    ["is_palindrome x", true],
    ["999+1", 1000],
    ["7*8-6", 50],
    ["0*999", 0],
    ["reverse level", "level"],
    ["reverse ", ""],
  ]);
});

test("coding-easy numbers its tasks, compares exactly and gives each ten seconds", () => {
  for (const [position, task] of codingEasy.tasks.entries()) {
    expect(task.id).toBe(`coding_${String(position + 1).padStart(3, "0")}`);
    expect(task).toMatchObject({ evaluator: { type: "exact" }, timeoutMs: 10_000 });
  }
});

test("skill-quality looks at files, with one task per check", () => {
  expect(skillQuality).toMatchObject({
    id: "skill-quality",
    version: "1.0.0",
    domain: "tool-use",
    subject: "files",
  });
  expect(skillQuality.tasks.map((task) => task.inputData)).toEqual(filesChecks.map((check) => ({ check })));
  expect(skillQuality.tasks.every((task) => task.timeoutMs === 5000)).toBe(true);
});

test.each(["calculator", "http-calculator"])(
  "the example %s earns every keyword of skill-quality",
  async (name) => {
    for (const task of skillQuality.tasks) {
      const { check } = task.inputData as { check: FilesCheck };
      const { findings } = await inspectFiles(loadSkill(name), check, benchmarkProblem);
      expect(findings.map((line) => line.replace(/ \(.*/, ""))).toEqual(task.expectedOutput?.keywords);
    }
  },
);

test("of the keywords of one task none is part of another, so each is earned by its own finding", () => {
  for (const { expectedOutput } of skillQuality.tasks) {
    const keywords = (expectedOutput?.keywords ?? []).map((keyword) => keyword.toLowerCase());
    for (const keyword of keywords)
      expect(keywords.filter((other) => other.includes(keyword))).toEqual([keyword]);
  }
});

test("no keyword is met by the input returned whole", () => {
  for (const { inputData, expectedOutput } of skillQuality.tasks)
    for (const keyword of expectedOutput?.keywords ?? [])
      expect(JSON.stringify(inputData)).not.toContain(keyword);
});

test.each(["calculator", "http-calculator"])("the tests of the example %s are a valid benchmark", (name) => {
  const benchmark = Benchmark.parse(readJson("examples", name, "tests/basic.eval.json"));

  expect(benchmark).toMatchObject({ id: `${name}-basic`, tasks: { length: 4 } });
});
