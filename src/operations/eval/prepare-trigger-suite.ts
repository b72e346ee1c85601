import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Config } from "../../contract/config.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { defaultJudgeMs } from "../../levels/trigger/options.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import type { PlanOptions } from "./request.ts";

/** Prepares the trigger suite of `eval` and `run` over every skill that has a block. Null where none has. */
export async function prepareTriggerSuite(
  plan: PlanOptions,
  skills: readonly UnitSkill[],
  { env, judges, reliance, storePath, exclude, isDryRun, requireTriggering = false }: RunContext,
): Promise<ReadyTriggers | null> {
  // A tool is called by itself, but a request loads its skill.
  const folders = [...new Set(skills.map(({ dir }) => dir))];
  if (!requireTriggering && !folders.some((dir) => existsSync(resolve(dir, "eval.yaml")))) return null;
  const { prepareTriggers } = await import("../../levels/trigger/prepare.ts");
  return prepareTriggers(suiteOptions(plan, folders), {
    env,
    models: judges,
    reliance,
    usesCache: true,
    hidden: exclude,
    storePath,
    exclude,
    isDryRun,
    listsUntested: requireTriggering,
    isSingleCase: plan.cases.length > 0,
  });
}

function suiteOptions({ models, seed, cwd, router }: PlanOptions, skills: string[]): TriggerSuiteOptions {
  return {
    skills,
    catalog: null,
    sets: [],
    cases: [],
    judge: { kind: null, model: null, agent: null },
    repeats: null,
    threshold: null,
    filters: { host: null, groups: [], allow: [] },
    router: router ?? Config.parse({}).router,
    requireVectors: false,
    seed,
    timeoutMs: defaultJudgeMs,
    models,
    cwd,
  };
}
