import { basename } from "node:path";
import { isAgentCase } from "../../cases/plan-cases.ts";
import type { SkippedReport } from "../../contract/document.ts";
import { caseSelection, type WantsCase } from "../../engine/case-selection.ts";
import { composePrepared, type PreparedPart, sameSuite } from "../../engine/compose-prepared.ts";
import { beginProof } from "../../engine/containment/open-containment.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import { noModel, unlessNoModel } from "../../engine/without-model.ts";
import { prepareContract, type ReadyContracts } from "../../levels/contract/prepare.ts";
import { prepareBench, type ReadyBench } from "../../levels/planbench/prepare.ts";
import { prepareTriggers, type ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { checkTriggering } from "../../levels/trigger/queries/check-triggering.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { prepareAgents, type ReadyAgents } from "../agent/prepare.ts";
import type { ReadyUnit } from "../eval/prepare-unit.ts";
import { affectedMaterial, NothingAffected, type Since } from "./affected.ts";
import { discoverMaterial, type Material } from "./discover-material.ts";
import {
  agentContext,
  benchContext,
  containmentOf,
  type LevelMaterial,
  type TestContext,
  triggerContext,
} from "./level-material.ts";
import type { TestLevel } from "./options.ts";
import { prepareTasks } from "./prepare-tasks.ts";
import type { TestPlan } from "./request.ts";
import { shownPaths } from "./searched-places.ts";
import { hasTests, nothingToTest, untested, untestedSkills } from "./untested.ts";

/** A run of `test` that is ready to start: what each level made of its material, null where it has none. */
export interface ReadyTest extends PreparedRun {
  material: Material;
  contracts: ReadyContracts | null;
  unit: ReadyUnit | null;
  trigger: ReadyTriggers | null;
  agents: ReadyAgents | null;
  benches: readonly ReadyBench[];
  /** What the run is limited to; null where it is not. */
  since: Since | null;
}

/** Finds everything there is to test, and checks all of it before the first cell. */
export async function prepareTest(plan: TestPlan, context: TestContext): Promise<ReadyTest> {
  await using proof = beginProof(plan, context);
  const found = await discoverMaterial(plan);
  const { material, since } =
    plan.since === null
      ? { material: found, since: null }
      : await affectedMaterial(found, { ...plan, since: plan.since }, context);
  const parts = new OpenParts();
  // Awaited here: until the proof is settled, nobody would hear of an error.
  return await openOrClose(parts.close, async () => {
    const selection = caseSelection(plan);
    const levels = { plan, context, material, proof, wants: selection.wants };
    const contracts = parts.own("contract", hasLevel(plan, "contract") ? await openContracts(levels) : null);
    const unit = parts.own("unit", hasLevel(plan, "unit") ? await prepareTasks(levels) : null);
    const trigger = parts.own("trigger", hasLevel(plan, "trigger") ? await openTriggers(levels) : null);
    const agents = parts.own("agent", await openAgents(levels));
    const benches: ReadyBench[] = [];
    const leftOut: SkippedReport[] = [];
    for (const file of hasLevel(plan, "planbench") ? benchFiles(material) : []) {
      const bench = await openBench(file, levels);
      if (bench === "no-model") leftOut.push(skippedBench(nearPath(file, plan.cwd)));
      else if (bench !== null)
        benches.push(
          parts.own(benches.length === 0 ? "planbench" : `planbench ${bench.bench.file.id}`, bench),
        );
    }
    refuseSameBench(benches, plan.cwd);
    const named = new Set([
      ...(agents?.cases ?? []).flatMap(({ loaded }) => expectedSkills(loaded)),
      ...benches.flatMap((bench) => bench.skillIds),
    ]);
    const skipped = [...leftOut, ...untestedSkills(material, named).map(skippedSkill)];
    // What cannot be read is a failed contract; where those are not checked, it is not loaded.
    const notLoaded = contracts === null ? material.notLoaded : [];
    const { warnings } = material;
    const skillIds = material.skills.map(({ id }) => id);
    const composed = composePrepared(parts.all, { seed: plan.seed, warnings, skipped, notLoaded, skillIds });
    refuseWithoutModel(composed.skipped, plan);
    const ready = { material, contracts, unit, trigger, agents, benches, since };
    refuseEmpty(ready, composed, plan);
    if (since === null) refuseUnmatched(selection.unmatched());
    return { ...composed, ...ready };
  });
}

/** The parts of the run so far, closed together where a later one fails. */
class OpenParts {
  readonly all: PreparedPart[] = [];

  own<Ready extends PreparedRun | null>(label: string, ready: Ready): Ready {
    if (ready !== null) this.all.push({ label, ready });
    return ready;
  }

  readonly close = async (): Promise<void> => {
    for (const { ready } of this.all.toReversed()) await ready[Symbol.asyncDispose]();
  };
}

function hasLevel({ levels }: TestPlan, level: TestLevel): boolean {
  return levels.includes(level);
}

/** Agents and conversations share their files, so `--level` chooses among their cases. */
function caseLevels(plan: TestPlan, wants: WantsCase | undefined): WantsCase | undefined {
  if (hasLevel(plan, "agent") && hasLevel(plan, "conversation")) return wants;
  return (one) => plan.levels.some((level) => level === one.level) && (wants?.(one) ?? true);
}

/** The contracts of all skills; null where none is wanted. */
async function openContracts({
  plan,
  context,
  material,
  wants,
}: LevelMaterial): Promise<ReadyContracts | null> {
  const ids = new Map(material.skills.map(({ dir, id }) => [dir, id]));
  const isWanted = (owner: string) => wants?.({ level: "contract", id: "contract", tags: [], owner }) ?? true;
  const skills = material.folders.filter(({ dir }) => isWanted(ids.get(dir) ?? basename(dir)));
  if (skills.length === 0) return null;
  const { version, exclude } = context;
  return prepareContract({ skills, cwd: plan.cwd }, { version, exclude, checkTriggering });
}

async function openTriggers({
  plan,
  context,
  material,
  wants,
}: LevelMaterial): Promise<ReadyTriggers | null> {
  const skills = material.skills.filter(({ hasTriggers, querySets }) => hasTriggers || querySets.length > 0);
  if (skills.length === 0) return null;
  const options = { ...plan.trigger, skills: skills.map(({ dir }) => nearPath(dir, plan.cwd)) };
  return prepareTriggers(options, {
    ...triggerContext(context),
    ownSets: new Map(skills.map(({ dir, querySets }) => [dir, querySets])),
    wants,
    leavesModelsOut: true,
  });
}

async function openAgents({
  plan,
  context,
  material,
  proof,
  wants,
}: LevelMaterial): Promise<ReadyAgents | null> {
  if (!hasLevel(plan, "agent") && !hasLevel(plan, "conversation")) return null;
  const ofSkills = material.skills.filter(({ hasCases }) => hasCases).map(({ dir }) => dir);
  const suites = [...material.suites, ...ofSkills].map((path) => nearPath(path, plan.cwd));
  if (suites.length === 0) return null;
  const { agent } = plan;
  // Recordings of the configured model stand for it.
  const replays = context.judges.replay !== null;
  const classes = replays && agent.models.length === 0 ? (["L0", "L1", "L2"] as const) : agent.classes;
  return prepareAgents(
    { ...agent, ...containmentOf(plan), suites, classes },
    { ...agentContext(context), proof, wants: caseLevels(plan, wants), leavesModelsOut: true },
  );
}

function benchFiles({ skills, benches }: Material): string[] {
  return [...skills.flatMap((skill) => skill.benches), ...benches];
}

/** A bench; null where none of its cases is wanted. */
async function openBench(
  file: string,
  { plan, context, proof, wants }: LevelMaterial,
): Promise<ReadyBench | "no-model" | null> {
  const own = { ...plan.planbench, ...containmentOf(plan), bench: file };
  const preparing = () => prepareBench(own, { ...benchContext(context), proof, wants });
  try {
    return (await unlessNoModel(preparing)) ?? "no-model";
  } catch (error) {
    if (wants !== undefined && error instanceof UserError && error.code === "nothing-to-do") return null;
    throw error;
  }
}

function skippedBench(suite: string): SkippedReport {
  return { level: "planbench", suite, skillId: null, caseId: null, reason: noModel };
}

function refuseSameBench(benches: readonly ReadyBench[], cwd: string): void {
  const first = new Map<string, string>();
  for (const { bench } of benches) {
    const { id } = bench.file;
    const other = first.get(id);
    const path = nearPath(bench.path, cwd);
    if (other !== undefined) throw sameSuite({ name: "planbench" }, id, [other, path]);
    first.set(id, path);
  }
}

/** The skills that a case expects an agent to use. */
function expectedSkills(loaded: Parameters<typeof isAgentCase>[0]): string[] {
  if (!isAgentCase(loaded)) return [];
  const { skills_any_of = [], skills_all_of = [] } = loaded.case.expect;
  return [...skills_any_of, ...skills_all_of];
}

function skippedSkill({ id }: { id: string }): SkippedReport {
  return { level: null, suite: null, skillId: id, caseId: null, reason: untested };
}

/** Levels that need a model are left out; who demands all of them is told before anything runs. */
function refuseWithoutModel(skipped: readonly SkippedReport[], { requireAll }: TestPlan): void {
  const missing = skipped.filter(({ reason }) => reason === noModel);
  if (!requireAll || missing.length === 0) return;
  const names = [...new Set(missing.map(({ skillId, caseId, suite }) => caseId ?? skillId ?? suite ?? ""))];
  throw new UserError(
    "usage",
    `--require-all: ${pluralize(names.length, "test")} ${names.length === 1 ? "needs" : "need"} a model: ${listed(names, 5)}`,
    {
      hint: "pass --model <provider/model>, or --replay <dir> with recorded calls",
    },
  );
}

/** A case that is not there beside others that are: its name is misspelt, or its test is gone. */
function refuseUnmatched([first]: readonly string[]): void {
  if (first === undefined) return;
  throw new UserError("nothing-to-do", `--case: no case matches ${first}`, {
    hint: "run with --dry-run to see all tests",
  });
}

/** Without a single case there is nothing to report. */
function refuseEmpty(
  {
    material,
    contracts,
    unit,
    trigger,
    agents,
    benches,
    since,
  }: Pick<ReadyTest, "material" | "contracts" | "unit" | "trigger" | "agents" | "benches" | "since">,
  { skipped }: Pick<PreparedRun, "skipped">,
  plan: TestPlan,
): void {
  const suites = [...(unit?.unitSuites ?? []), ...(agents?.plans ?? []), ...benches];
  const isJudged = trigger?.subjects.some((subject) => subject.skipped === null) === true;
  if (suites.length > 0 || isJudged || contracts !== null) return;
  if (skipped.some(({ reason }) => reason === noModel))
    throw new UserError("nothing-to-do", "every test needs a model", {
      hint: "pass --model <provider/model>, or --replay <dir> with recorded calls",
    });
  if (since !== null && material.notLoaded.length === 0) {
    const untested = material.skills.filter((skill) => !hasTests(skill)).map(({ id }) => id);
    throw new NothingAffected(since, { total: material.skills.length, untested });
  }
  const hasAny = material.suites.length + material.benches.length > 0 || material.skills.some(hasTests);
  if (hasAny)
    throw new UserError("nothing-to-do", "no test matches --level, --skill, --case and --tag together", {
      hint: "run with --dry-run to see all tests",
    });
  throw nothingToTest(material, shownPaths(plan.paths, plan.projectRoot, plan.cwd));
}
