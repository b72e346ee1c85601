import { resolve } from "node:path";
import { type AgentPlan, agentPlan } from "../../cases/case-request.ts";
import { defaultSkillRoots } from "../../contract/config.ts";
import type { SkippedReport } from "../../contract/document.ts";
import { type Settled, settledOptions, storedOptions } from "../../contract/option-table.ts";
import { defaultGates } from "../../engine/default-gates.ts";
import { type GateRule, limitGates } from "../../engine/gates.ts";
import {
  type CommonOutput,
  type ContainmentOptions,
  commonOutput,
  containmentOptions,
  projectRoot,
  type RunConfig,
} from "../../engine/request.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { type BenchPlan, benchPlan } from "../../levels/planbench/request.ts";
import { writtenGates } from "../../levels/trigger/gates.ts";
import { type TriggerPlan, triggerPlan } from "../../levels/trigger/request.ts";
import { type PlanOptions, planOptions } from "../eval/request.ts";
import type { Since } from "./affected.ts";
import { mayBeUntested, type TestLevel, type TestOptions, testLevels, testTable } from "./options.ts";
import { untested } from "./untested.ts";

type OwnPlan = Pick<Settled<typeof testTable, "plan">, "paths" | "skills" | "cases" | "tags" | "requireAll">;

/** What decides the cells of a run of `test`. Each level has the plan it would have alone, without its material. */
export interface TestPlan extends ContainmentOptions, OwnPlan {
  levels: readonly TestLevel[];
  /** The roots that the project's own file names; null where it names none. */
  roots: readonly string[] | null;
  /** The git ref whose files are compared; null where everything runs. */
  since: Since | null;
  /** The file of configuration, absolute: it decides about all skills. */
  configFile: string | null;
  unit: PlanOptions;
  trigger: TriggerPlan;
  agent: AgentPlan;
  planbench: BenchPlan;
  seed: number;
  projectRoot: string;
  cwd: string;
  storedOptions: Partial<TestOptions>;
}

/** What may differ between a run and its resumption. */
export interface TestOutput extends RunOutput, CommonOutput {
  /** Where run directories are made, absolute. */
  runsDir: string;
}

export function testPlan(options: TestOptions, loaded: RunConfig, cwd: string): TestPlan {
  const { paths, skills, cases, tags, requireAll, levels } = settledOptions(
    testTable,
    "plan",
    options,
    loaded.config,
  );
  const ref = changedRef(options);
  const { model, judgeModel, runs, seed, sandbox, toolHost, allowVacuous, retries, timeoutMs } = options;
  const shared = { seed, runs, sandbox };
  const models = model === undefined ? [] : [model];
  return {
    ...{ paths, skills, cases, tags, requireAll },
    levels: levels.length === 0 ? testLevels : levels,
    since: ref === null ? null : { ref, affected: null },
    configFile: loaded.files.project === null ? null : resolve(cwd, loaded.files.project),
    roots: ownRoots(loaded),
    unit: planOptions({ ...shared, retries, timeoutMs, toolHost, allowVacuous }, loaded, cwd),
    trigger: triggerPlan({ seed, runs, judgeModel }, loaded, cwd),
    agent: agentPlan({ ...shared, models, judge: judgeModel, toolHost, allowVacuous }, loaded, cwd),
    planbench: benchPlan({ ...shared, model }, loaded, cwd),
    seed: seed ?? 0,
    projectRoot: projectRoot(loaded.files, cwd),
    cwd,
    ...containmentOptions(sandbox, loaded),
    storedOptions: storedOptions(testTable, options, cwd),
  };
}

/** The roots that the project's own file names; null where it names none, or repeats the default ones. */
export function ownRoots({
  config,
  origins,
}: Pick<RunConfig, "config" | "origins">): readonly string[] | null {
  const { roots } = config.skills;
  const isDefault = roots.join("\n") === defaultSkillRoots.join("\n");
  return origins["skills.roots"] === "project" && !isDefault ? roots : null;
}

export function testOutput(options: TestOptions, loaded: RunConfig, cwd: string): TestOutput {
  const run = settledOptions(testTable, "run", options);
  const { minCompletion, gateOn } = run;
  return {
    ...commonOutput(changedRef(options) === null ? options : { ...options, changed: undefined }, loaded, cwd),
    command: "test",
    reportName: "test-result",
    runsDir: resolve(cwd, run.runsDir),
    gates: (suites) => [
      ...defaultGates(suites, { minCompletion, on: gateOn }),
      ...levelNames(suites).flatMap((level) =>
        limitGates(run, { level, enforced: true, appliesTo: isJudged }),
      ),
      ...writtenGates(suites, { lines: {}, on: gateOn, enforced: true }),
    ],
    isMissing: (skipped, _, skillIds) => lacksTests(options, countUntested(skipped), skillIds.length),
  };
}

/** Whether more skills are without tests than `--max-untested` accepts. */
export function lacksTests({ maxUntested }: TestOptions, untestedSkills: number, skills: number): boolean {
  return maxUntested !== undefined && untestedSkills > mayBeUntested(maxUntested, skills);
}

/** The git ref that `--changed` takes; its other word is about verdicts. A branch of that name is `refs/heads/reuse-all`. */
function changedRef({ changed }: TestOptions): string | null {
  return changed === undefined || changed === true || changed === "reuse-all" ? null : changed;
}

/** A baseline is there to compare with. */
const isJudged: NonNullable<GateRule["appliesTo"]> = ({ arm }) => arm !== "absent";

function levelNames(suites: Parameters<RunOutput["gates"]>[0]): string[] {
  return [...new Set(suites.map(({ level }) => level.name))];
}

function countUntested(skipped: readonly SkippedReport[]): number {
  return skipped.filter(({ reason }) => reason === untested).length;
}
