import type { Cell, ResolvedTask } from "../src/contract/cell.ts";
import type { Scorer } from "../src/contract/scorer.ts";
import type { Task } from "../src/contract/task.ts";
import type { UnitSkill } from "../src/contract/unit-skill.ts";
import type { UnitSubject } from "../src/levels/unit/suite.ts";
import type { Clock } from "../src/shared/async/clock.ts";
import type { Json } from "../src/shared/json/json.ts";

/** A skill that is nowhere on the disk. */
export function sampleSkill(changes: Partial<UnitSkill> = {}): UnitSkill {
  return {
    id: "calc",
    name: "Calc",
    version: "1.0.0",
    description: "Does sums",
    tags: [],
    dir: "/skills/calc",
    manifest: "/skills/calc/skill.json",
    adapter: {
      type: "subprocess",
      entrypoint: "node skill.mjs",
      config: { type: "subprocess", env: {}, envKeys: [], args: [] },
    },
    inputSchema: {},
    outputSchema: {},
    metadata: {},
    digest: `sha256:${"a".repeat(64)}`,
    ...changes,
  };
}

/** The same skill with this `timeoutMs` in its adapter configuration. */
export function sampleSkillWithTimeout(timeoutMs: number): UnitSkill {
  const { adapter } = sampleSkill();
  return sampleSkill({
    adapter: { ...adapter, config: { type: "subprocess", env: {}, envKeys: [], args: [], timeoutMs } },
  });
}

/** A scorer that lets `42` pass. */
export const sampleScorer: Scorer = {
  type: "exact_match",
  identity: { caseSensitive: true },
  score: ({ output }) =>
    output === 42 ? { score: 1, passed: true, reason: null } : { score: 0, passed: false, reason: "not 42" },
};

export function sampleTask(changes: Partial<Task> = {}, resolved: Partial<ResolvedTask> = {}): ResolvedTask {
  const task = {
    id: "t1",
    inputData: { x: 6 },
    expectedOutput: { value: 42 },
    tags: [],
    weight: 1,
    ...changes,
  } satisfies Task;
  return {
    id: task.id,
    title: null,
    input: task.inputData,
    expected: task.expectedOutput as Json,
    tags: task.tags,
    weight: task.weight,
    task,
    digest: `sha256:${"b".repeat(64)}`,
    scorer: sampleScorer,
    scorerDigest: `sha256:${"c".repeat(64)}`,
    ...resolved,
  };
}

/** The skill as the subject of a benchmark. */
export function sampleUnitSubject(skill: UnitSkill = sampleSkill()): UnitSubject {
  const { id: skillId, version: skillVersion, digest: skillDigest } = skill;
  return { skillId, skillVersion, skillDigest, model: null, arm: null, skill };
}

export type UnitCell = Cell<ResolvedTask, UnitSubject>;

export function sampleCell(changes: Partial<UnitCell> = {}): UnitCell {
  return {
    key: "sha256:cell",
    position: 0,
    level: "unit",
    suiteId: "bench",
    subject: sampleUnitSubject(),
    case: sampleTask(),
    trial: 1,
    deadlineMs: 1000,
    ...changes,
  };
}

/** A clock on which nothing takes time but sleeping, and that remembers every sleep. */
export function sleeplessClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  let passedMs = 0;
  return {
    slept,
    now: () => Date.UTC(2026, 2, 1, 7) + passedMs,
    monotonic: () => passedMs,
    async sleep(durationMs, signal) {
      signal.throwIfAborted();
      slept.push(durationMs);
      passedMs += durationMs;
    },
  };
}
