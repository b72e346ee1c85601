import type { Benchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask, Subject } from "../../contract/cell.ts";
import type { LogLine, RunInput, SuiteRun } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { taskDeadlineMs } from "../../engine/deadlines.ts";
import { planCells } from "../../engine/plan-cells.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import type { OpenExecution } from "./execution.ts";
import { type UnitDetails, unitLevel } from "./level.ts";

/** A skill as the subject of a benchmark. */
export interface UnitSubject extends Subject {
  skillId: string;
  skill: UnitSkill;
}

export interface UnitSuiteFacts {
  skills: readonly UnitSkill[];
  /** Skill id → what its cells rest on. */
  inputs: ReadonlyMap<string, readonly RunInput[]>;
  /** Skill id → the hash of files outside of it that it names; null where it names none. */
  outside: ReadonlyMap<string, string | null>;
  benchmark: Benchmark;
  benchmarkPath: string;
  tasks: readonly ResolvedTask[];
  opened: Pick<OpenExecution, "execute" | "checkOutput" | "stampOf">;
  /** What runs beside the skills, as one hash with the files it is made of; null where nothing does. */
  programsDigest: string | null;
  trials: number;
  retries: number;
  timing: { timeoutMs: number; isTyped: boolean };
  seed: number;
  isPartial: boolean;
  /** Whether the benchmark is a bundled one, which is not in the user's repository. */
  isBundled: boolean;
}

/** The tasks of a benchmark as a suite of the engine. */
export function unitSuite(facts: UnitSuiteFacts): SuiteRun<ResolvedTask, UnitSubject> {
  const { benchmark, tasks, opened, retries, timing, seed } = facts;
  const { id, version, scoringMethod, k, maxLatencyMs } = benchmark;
  const { tasks: _, ...head } = benchmark;
  const subjects = facts.skills.map((skill): UnitSubject => {
    const { id: skillId, version: skillVersion, digest: skillDigest } = skill;
    return { skillId, skillVersion, skillDigest, model: null, arm: null, skill };
  });
  const adapters = new Map(
    subjects.map((subject) => [subject, sha256(canonicalJson(subject.skill.adapter))]),
  );
  const digests = new Map(subjects.map(({ skillId, skillDigest }) => [skillId, skillDigest]));
  const manifests = new Map(subjects.map(({ skillId, skill }) => [skillId, skill.manifest]));
  const details = new Map(tasks.map((task) => [task, unitDetails(task)]));
  const suiteText = JSON.stringify(id);
  // Only of suites that have any, so that the keys of all others stay what they are.
  const programs = facts.programsDigest === null ? "" : `"programs":"${facts.programsDigest}",`;
  const outside = new Map(
    subjects.map((subject) => {
      const hash = facts.outside.get(subject.skillId) ?? null;
      return [subject, hash === null ? "" : `"outside":"${hash}",`];
    }),
  );
  const cells = planCells({
    level: unitLevel,
    id,
    subjects,
    casesOf: () => tasks,
    trialsOf: () => facts.trials,
    deadlineOf: ({ skill }, task) => taskDeadlineMs(skill, task, timing),
    // Canonical JSON, written by hand because it is made once per cell.
    keyOf: (subject, task, trial, deadlineMs) =>
      sha256(
        `{"adapter":"${adapters.get(subject)}","deadlineMs":${deadlineMs},${outside.get(subject)}${programs}"scorer":"${task.scorerDigest}",` +
          `"skill":"${subject.skillDigest}","suite":${suiteText},"task":"${task.digest}","trial":${trial}}`,
      ),
  });
  return {
    level: unitLevel,
    id,
    version,
    // Digests are joined, because canonical JSON of a hundred thousand tasks is slow.
    digest: sha256(
      [
        canonicalJson(head as Json),
        ...tasks.map(({ digest, scorerDigest }) => `${digest} ${scorerDigest}`),
      ].join("\n"),
    ),
    subjects,
    casesOf: () => tasks,
    trials: cells.trials,
    cells,
    retries,
    scoring: { scoringMethod, k, maxLatencyMs },
    execute: opened.execute,
    score: ({ output, latencyMs }, { case: { task, scorer }, trial }, signal) =>
      scorer.score({ task, output, latencyMs, trial, signal }),
    failureScorer: ({ case: { task, scorer }, trial }, failure) =>
      scorer.sees?.includes(failure.status) === true
        ? (latencyMs, signal) => scorer.score({ task, output: null, failure, latencyMs, trial, signal })
        : null,
    inputsOf: ({ subject }) => facts.inputs.get(subject.skillId) ?? [],
    // What runs behind an address may have changed since.
    isClosed: ({ subject }) => opened.stampOf(subject.skillId) !== null,
    detailsOf: ({ case: one }) => details.get(one) ?? unitDetails(one),
    stampOf: ({ skillId }) => opened.stampOf(skillId),
    checkOutput: opened.checkOutput,
    reportsUsage: true,
    pricingOf: ({ skill }) => skill.metadata.pricing,
    lineOf: (result) => taskLine(result, { seed, digests }),
    isPartial: facts.isPartial,
    // The file of the tasks, which shows what was expected.
    fileOf: ({ skillId }) => (facts.isBundled ? manifests.get(skillId ?? "") : facts.benchmarkPath),
  };
}

function unitDetails({ scorer, weight, tags }: ResolvedTask): Omit<UnitDetails, "expectations"> {
  return { scorerType: scorer.type, weight, tags: [...tags] };
}

interface TaskLineFacts {
  seed: number;
  /** Skill id → hash of its files. */
  digests: ReadonlyMap<string, string>;
}

/** The line of a task's cell in the log. */
function taskLine(result: CellResult, { seed, digests }: TaskLineFacts): LogLine {
  return {
    kind: "task",
    skillId: result.skillId ?? "",
    benchmarkId: result.suite,
    taskId: result.caseId,
    trial: result.trial,
    cellKey: result.key,
    verdict: result.status,
    cause: result.cause,
    score: result.score,
    reason: result.cause === null ? result.reason : null,
    latencyMs: result.latencyMs,
    attempts: result.attempts.length,
    scorerType: (result.details as UnitDetails).scorerType,
    seed,
    skillDigest: digests.get(result.skillId ?? "") ?? null,
    ts: result.finishedAt,
  };
}
