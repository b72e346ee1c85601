import type { ResolvedTask } from "../src/contract/cell.ts";
import type { Level, SuiteRun } from "../src/contract/level.ts";
import type { UnitSkill } from "../src/contract/unit-skill.ts";
import { type UnitSubject, type UnitSuiteFacts, unitSuite } from "../src/levels/unit/suite.ts";
import { sampleSkill, sampleTask } from "./sample-cell.ts";

export interface SampleSuiteFacts extends Partial<UnitSuiteFacts> {
  id?: string;
  level?: Level;
}

/** A suite of tasks that needs nothing but an `execute`; by default every skill answers 42, which is right. */
export function sampleSuite(
  { id = "bench", level, ...facts }: SampleSuiteFacts = {},
  changes: Partial<SuiteRun<ResolvedTask, UnitSubject>> = {},
): SuiteRun<ResolvedTask, UnitSubject> {
  const tasks = facts.tasks ?? [sampleTask()];
  const suite = unitSuite({
    skills: [sampleSkill()],
    inputs: new Map(),
    benchmark: {
      id,
      name: "Bench",
      version: "1.0.0",
      domain: "general",
      scoringMethod: "mean",
      maxLatencyMs: 30_000,
      k: 1,
      metadata: {},
      subject: "skill",
      tasks: tasks.map(({ task }) => task),
    },
    benchmarkPath: "/project/bench.json",
    programsDigest: null,
    outside: new Map(),
    opened: {
      execute: async () => ({ status: "answered", output: 42, latencyMs: 5 }),
      checkOutput: () => [],
      stampOf: () => null,
    },
    trials: 1,
    retries: 0,
    timing: { timeoutMs: 1000, isTyped: false },
    seed: 0,
    isPartial: false,
    isBundled: false,
    ...facts,
    tasks,
  });
  if (level === undefined) return { ...suite, ...changes };
  const { cells } = suite;
  const ofLevel = function* () {
    for (const cell of cells) yield { ...cell, key: `${level.name} ${cell.key}`, level: level.name };
  };
  return {
    ...suite,
    level,
    cells: { size: cells.size, [Symbol.iterator]: ofLevel },
    ...changes,
  };
}

/** Skills of these ids, each with files of its own. */
export function sampleSkills(...ids: string[]): UnitSkill[] {
  return ids.map((id) => sampleSkill({ id, digest: `sha256:${id}` }));
}

/** Tasks `t0`, `t1`, … */
export function sampleTasks(count: number): ResolvedTask[] {
  return Array.from({ length: count }, (_, n) => sampleTask({ id: `t${n}` }, { digest: `sha256:${n}` }));
}
