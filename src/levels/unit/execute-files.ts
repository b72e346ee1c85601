import type { ResolvedTask } from "../../contract/cell.ts";
import type { Scorer } from "../../contract/scorer.ts";
import type { Task } from "../../contract/task.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { type FilesCheck, filesChecks, inspectFiles } from "../../lint/inspect-files.ts";
import { prepareScorer } from "../../scorers/choose-scorer.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { loadBenchmark } from "./benchmark/load-benchmark.ts";
import type { Execute, Execution } from "./execution.ts";

/** Checks the skill's files without calling it. */
export const filesExecution: Execution = {
  prepareScorer: async (request) => namingFindings(await prepareScorer({ ...request, adapters: [] })),
  async open({ skills, tasks, benchmarkPath }) {
    refuseUnknownChecks(tasks, benchmarkPath);
    return {
      execute: executeByInspecting(new Map(skills.map(({ skill }) => [skill.id, skill]))),
      checkOutput: () => [],
      stampOf: () => null,
      warnings: [],
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

function executeByInspecting(skills: ReadonlyMap<string, UnitSkill>): Execute {
  return async ({ subject, case: { task } }) => {
    const began = performance.now();
    const skill = skills.get(subject.skillId) as UnitSkill;
    const output = await inspectFiles(skill, requestedCheck(task) as FilesCheck, benchmarkProblem);
    return { status: "answered", output, latencyMs: performance.now() - began };
  };
}

/** Refuses unknown file checks before the run. */
function refuseUnknownChecks(tasks: readonly ResolvedTask[], path: string): void {
  for (const { task } of tasks) {
    const check = requestedCheck(task);
    if ((filesChecks as readonly unknown[]).includes(check)) continue;
    throw new UserError("benchmark-invalid", `task ${task.id}: unknown file check ${JSON.stringify(check)}`, {
      path,
      jsonPath: "$.tasks[*].inputData.check",
      hint: didYouMean(String(check), filesChecks),
    });
  }
}

function requestedCheck({ inputData }: Task): unknown {
  return typeof inputData === "object" && inputData !== null
    ? (inputData as { check?: unknown }).check
    : undefined;
}

/** Findings that are not ok belong in the reason. */
const isOk = /: ok(?: \(|$)/;

/** Scores findings as the task says, and names every finding that is not ok. */
function namingFindings(scorer: Scorer): Scorer {
  return {
    ...scorer,
    async score(answer) {
      const score = await scorer.score(answer);
      if (score.score === null || score.passed) return score;
      const { findings } = answer.output as { findings: string[] };
      return { ...score, reason: findings.filter((finding) => !isOk.test(finding)).join("; ") };
    },
  };
}

/** What is wrong with a benchmark file, in the loader's own words. */
export async function benchmarkProblem(path: string, shownPath: string): Promise<string | null> {
  try {
    await loadBenchmark(path);
    return null;
  } catch (error) {
    if (error instanceof UserError) return inOneLine(error.message.replaceAll(path, shownPath));
    throw error;
  }
}

function inOneLine(message: string): string {
  const [head = "", ...listed] = message.split("\n");
  return listed.length === 0 ? head : `${head} ${listed.map((line) => line.trim()).join("; ")}`;
}
