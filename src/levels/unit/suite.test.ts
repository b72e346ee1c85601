import { expect, test } from "vitest";
import { sampleSkill, sampleSkillWithTimeout, sampleTask } from "../../../test/sample-cell.ts";
import { Benchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask } from "../../contract/cell.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import { type UnitSuiteFacts, unitSuite } from "./suite.ts";

function benchmark(id: string, version = "1.0.0"): Benchmark {
  return Benchmark.parse({ id, name: "Bench", version, tasks: [sampleTask().task] });
}

function suite(changes: Partial<UnitSuiteFacts> = {}) {
  return unitSuite({
    skills: [sampleSkill()],
    inputs: new Map(),
    benchmark: benchmark("bench"),
    benchmarkPath: "/benchmarks/bench.json",
    tasks: [sampleTask()],
    programsDigest: null,
    outside: new Map(),
    opened: {
      execute: async () => ({ status: "answered", output: 42, latencyMs: 1 }),
      checkOutput: () => [],
      stampOf: () => null,
    },
    trials: 1,
    retries: 0,
    timing: { timeoutMs: 1000, isTyped: true },
    seed: 0,
    isPartial: false,
    isBundled: false,
    ...changes,
  });
}

function keys(changes: Partial<UnitSuiteFacts> = {}): string[] {
  return [...suite(changes).cells].map(({ key }) => key);
}

function onlyKey(changes: Partial<UnitSuiteFacts> = {}): string {
  return keys(changes)[0] ?? "";
}

function onlyKeyFor(skill: UnitSkill, task: ResolvedTask): string {
  return onlyKey({ skills: [skill], tasks: [task] });
}

test("a key is the same on every machine and in every version that keeps stores", () => {
  expect(onlyKey()).toBe("sha256:f25e8d8942aebce0856f1793be3c1725435328a93b51f5bfbe146336a58c7e2c");
});

test("every cell of a suite has a key of its own", () => {
  const skills = ["a", "b"].map((letter) => sampleSkill({ id: letter, digest: `sha256:${letter}` }));
  const tasks = ["c", "d"].map((letter) => sampleTask({ id: letter }, { digest: `sha256:${letter}` }));

  expect(new Set(keys({ skills, tasks, trials: 5 })).size).toBe(20);
});

test.each<[string, () => string]>([
  ["the skill's files", () => onlyKeyFor(sampleSkill({ digest: "sha256:other" }), sampleTask())],
  ["the adapter configuration", () => onlyKeyFor(sampleSkillWithTimeout(5000), sampleTask())],
  [
    "the entrypoint",
    () => {
      const { adapter } = sampleSkill();
      return onlyKeyFor(sampleSkill({ adapter: { ...adapter, entrypoint: "node other.mjs" } }), sampleTask());
    },
  ],
  ["the content of the task", () => onlyKeyFor(sampleSkill(), sampleTask({}, { digest: "sha256:other" }))],
  ["the scorer", () => onlyKeyFor(sampleSkill(), sampleTask({}, { scorerDigest: "sha256:other" }))],
  ["the deadline", () => onlyKey({ timing: { timeoutMs: 1001, isTyped: true } })],
  ["the suite", () => onlyKey({ benchmark: benchmark('an "other" one') })],
  ["the trial", () => keys({ trials: 2 })[1] ?? ""],
])("a key changes with %s", (_, keyOf) => {
  expect(keyOf()).not.toBe(onlyKey());
});

test.each<[string, () => string]>([
  [
    "where the skill lies",
    () => onlyKeyFor(sampleSkill({ dir: "/elsewhere", manifest: "/elsewhere/skill.json" }), sampleTask()),
  ],
  ["the neighbours in the plan", () => onlyKey({ tasks: [sampleTask(), sampleTask({ id: "t2" })] })],
  [
    "the place in the plan",
    () => keys({ tasks: [sampleTask({ id: "t0" }, { digest: "sha256:first" }), sampleTask()] })[1] ?? "",
  ],
  ["the version of the suite", () => onlyKey({ benchmark: benchmark("bench", "2.0.0") })],
  ["how many trials there are", () => onlyKey({ trials: 9 })],
])("a key does not change with %s", (_, keyOf) => {
  expect(keyOf()).toBe(onlyKey());
});

test("a key is the hash of the canonical JSON of what decides the result", () => {
  const skill = sampleSkill();
  const { digest, scorerDigest: scorer } = sampleTask();

  expect(onlyKey()).toBe(
    sha256(
      canonicalJson({
        trial: 1,
        task: digest,
        suite: "bench",
        skill: skill.digest,
        scorer,
        deadlineMs: 1000,
        adapter: sha256(canonicalJson(skill.adapter)),
      }),
    ),
  );
});

test("the digest of a suite changes with its head, its tasks and their scorers, and with nothing else", () => {
  const { digest } = suite();

  expect(suite({ benchmark: benchmark("bench", "2.0.0") }).digest).not.toBe(digest);
  expect(suite({ tasks: [sampleTask({}, { digest: "sha256:other" })] }).digest).not.toBe(digest);
  expect(suite({ tasks: [sampleTask({}, { scorerDigest: "sha256:other" })] }).digest).not.toBe(digest);
  expect(suite({ skills: [], trials: 9, benchmarkPath: "/elsewhere.json" }).digest).toBe(digest);
});

test("a task is annotated at its benchmark, or at the skill where the benchmark is one of ours", () => {
  const calc = { skillId: "calc", model: null, arm: null };

  expect(suite().fileOf?.(calc, "t1")).toBe("/benchmarks/bench.json");
  expect(suite({ isBundled: true }).fileOf?.(calc, "t1")).toBe("/skills/calc/skill.json");
});
