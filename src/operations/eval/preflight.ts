import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import { composePrepared } from "../../engine/compose-prepared.ts";
import { beginProof } from "../../engine/containment/open-containment.ts";
import { requireGranted } from "../../engine/granted.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { closing } from "../../engine/session.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { chooseTasks } from "./choose-tasks.ts";
import { loadGrantedSkills } from "./load-granted-skills.ts";
import { loadNamedBenchmark, refuseDefaultForTools } from "./load-named-benchmark.ts";
import { prepareTriggerSuite } from "./prepare-trigger-suite.ts";
import { prepareUnit, type ReadyUnit, type ReadyUnitSuite } from "./prepare-unit.ts";
import type { PlanOptions } from "./request.ts";

/** A run of `eval` that is ready to start: one benchmark, and the trigger tests of the same skills. */
export interface ReadyRun extends PreparedRun, ReadyUnitSuite, Pick<ReadyUnit, "sandbox" | "judges"> {
  /** The trigger tests of these skills; null where none has any. */
  triggers: ReadyTriggers | null;
}

/**
 * Checks everything that can be checked before the first cell, in the order a user would fix it. Tasks that are
 * in no file are `given`; the benchmark options are then ignored.
 */
export async function prepareRun(
  options: PlanOptions,
  context: RunContext,
  given?: LoadedBenchmark,
): Promise<ReadyRun> {
  await using proof = beginProof(options, context);
  const loaded = await loadGrantedSkills(options, context);
  if (given === undefined) refuseDefaultForTools(loaded.skills, options);
  const found = given ?? (await loadNamedBenchmark(options, context.bundledDir));
  const chosen =
    given === undefined
      ? chooseTasks(found, options, context)
      : { kept: given.benchmark.tasks, asks: [], skipped: [] };
  requireGranted([...loaded.asks, ...chosen.asks], context);
  const { skills } = loaded;
  const { cases, taskTags, seed } = options;
  const isPartial = cases.length > 0 || taskTags.length > 0 || chosen.skipped.length > 0;
  const pairing = { skills, found, chosen: chosen.kept, isFile: given === undefined, isPartial };
  const findings = { ...loaded, skipped: [...loaded.skipped, ...chosen.skipped] };
  const unit = await prepareUnit([pairing], findings, options, context, proof);
  return await openOrClose(closing(unit), async () => {
    const [only] = unit.unitSuites;
    if (only === undefined) throw new Error("a benchmark has tasks");
    const called = skills.map(({ skill }) => skill);
    const triggers = given === undefined ? await prepareTriggerSuite(options, called, context) : null;
    const parts = [unit, ...(triggers === null ? [] : [triggers])].map((ready) => ({ ready }));
    const { sandbox, judges } = unit;
    return { ...only, sandbox, judges, triggers, ...composePrepared(parts, { seed }) };
  });
}
