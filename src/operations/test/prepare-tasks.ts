import { ownFolders } from "../../config/project-rules.ts";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { Task } from "../../contract/task.ts";
import { sameSuite } from "../../engine/compose-prepared.ts";
import { leaveUngranted, requireGranted } from "../../engine/granted.ts";
import { loadTasksFile } from "../../levels/unit/benchmark/load-benchmark.ts";
import { taskAsks } from "../../levels/unit/benchmark/task-asks.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { joinErrors, UserError } from "../../shared/user-error.ts";
import { notUsable } from "../../skills/not-loaded.ts";
import { type LoadedSkill, loadSkills } from "../../skills/targets/load-skills.ts";
import { grantedSkills } from "../eval/load-granted-skills.ts";
import { prepareUnit, type ReadyUnit } from "../eval/prepare-unit.ts";
import type { SkillMaterial, UnitFile } from "./discover-material.ts";
import { containmentOf, type LevelMaterial } from "./level-material.ts";

/** Prepares the tasks of all skills in one sandbox; null where no skill has any that are wanted. */
export async function prepareTasks({
  plan,
  context,
  material,
  proof,
  wants,
}: LevelMaterial): Promise<ReadyUnit | null> {
  const { cwd } = plan;
  const options = { ...plan.unit, ...containmentOf(plan) };
  const files = material.skills.flatMap((skill) => skill.unit.map((file) => ({ skill, file })));
  if (files.length === 0) return null;
  const benchmarks = await loadBenchmarks(
    files.map(({ file }) => file.path),
    cwd,
  );
  const chosen = files.flatMap(({ skill, file }) => {
    const found = benchmarks.get(file.path);
    if (found === undefined) return [];
    const tasks = found.benchmark.tasks.filter(
      ({ id, tags }) => wants?.({ level: unitLevel.name, id, tags, owner: skill.id }) ?? true,
    );
    return tasks.length === 0
      ? []
      : [{ target: targetOf(skill, file), skillId: calledId(skill, file), found, tasks }];
  });
  if (chosen.length === 0) return null;
  const targets = [...new Set(chosen.map(({ target }) => nearPath(target, cwd)))];
  const loaded = await loadSkills(targets, { cwd, exclude: context.exclude, listsBroken: true });
  const broken = loaded.skills.filter(({ unreachable }) => unreachable !== null);
  const callable = loaded.skills.filter(({ unreachable }) => unreachable === null);
  const granted = grantedSkills(callable, options, context);
  const byId = new Map(granted.skills.map((one) => [one.skill.id, one]));
  const tasks = grantedTasks(
    chosen.filter(({ skillId }) => byId.has(skillId)),
    cwd,
    context,
  );
  requireGranted([...granted.asks, ...tasks.asks], context);
  const pairings = tasks.kept.map(({ skillId, found, tasks: kept, isWhole }) => ({
    skills: [byId.get(skillId)].filter((one): one is LoadedSkill => one !== undefined),
    found,
    chosen: kept,
    isFile: true,
    isPartial: wants !== undefined || !isWhole,
  }));
  const findings = {
    warnings: loaded.warnings,
    notLoaded: [
      ...loaded.notLoaded,
      ...broken.flatMap(({ skill, unreachable }) =>
        unreachable === null ? [] : [notUsable(nearPath(skill.dir, cwd), unreachable)],
      ),
    ],
    skipped: [...granted.skipped, ...tasks.skipped],
  };
  return prepareUnit(pairings, findings, options, { ...context, leavesUnusableOut: true }, proof);
}

/** `<folder>`, or `<folder>#<tool>`. */
function targetOf({ dir }: SkillMaterial, { tool }: UnitFile): string {
  return tool === null ? dir : `${dir}#${tool}`;
}

function calledId({ id }: SkillMaterial, { tool }: UnitFile): string {
  return tool === null ? id : `${id}#${tool}`;
}

/** Reads every file of tasks; all mistakes are reported together. */
async function loadBenchmarks(paths: readonly string[], cwd: string): Promise<Map<string, LoadedBenchmark>> {
  const loaded = new Map<string, LoadedBenchmark>();
  const errors: UserError[] = [];
  for (const path of paths)
    try {
      loaded.set(path, await loadTasksFile(path, cwd));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      errors.push(error);
    }
  const [first] = errors;
  if (first !== undefined) throw joinErrors(errors);
  for (const [id, same] of groupedBy([...loaded.values()], ({ benchmark }) => benchmark.id))
    if (same.length > 1)
      throw sameSuite(
        unitLevel,
        id,
        same.map(({ path }) => nearPath(path, cwd)),
      );
  return loaded;
}

interface ChosenFile {
  skillId: string;
  found: LoadedBenchmark;
  tasks: readonly Task[];
}

/** The tasks without those that are left out because nobody granted what they ask for. */
function grantedTasks(chosen: readonly ChosenFile[], cwd: string, context: LevelMaterial["context"]) {
  const all = chosen.flatMap((one) => {
    const asksOf = taskAsks(one.found, ownFolders([one.found.path], { cwd, projectRoot: cwd }));
    return one.tasks.map((task) => ({ one, task, asks: asksOf(task) }));
  });
  const { kept, asks, left } = leaveUngranted(all, ({ asks: own }) => own, context);
  const byFile = groupedBy(kept, ({ one }) => one);
  return {
    asks,
    kept: [...byFile].map(([one, items]) => ({
      ...one,
      tasks: items.map(({ task }) => task),
      isWhole: items.length === one.tasks.length,
    })),
    skipped: left.map(({ item: { one, task }, reason }) => ({
      level: unitLevel.name,
      suite: one.found.benchmark.id,
      skillId: null,
      caseId: task.id,
      reason,
    })),
  };
}
