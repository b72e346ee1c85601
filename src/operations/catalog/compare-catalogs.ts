import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import type { ReadyTriggers, TriggerSuiteContext } from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { Budget } from "../../models/budget.ts";
import { exclusionOf } from "../../routing/eligible.ts";
import { UserError } from "../../shared/user-error.ts";
import type { BaseCatalog } from "./base-catalog.ts";
import type { CatalogDiff } from "./compare/catalog-report.ts";
import { withExamples } from "./example-queries.ts";
import { foldCatalogs } from "./fold-catalogs.ts";
import { headQueries } from "./head-queries.ts";
import { judgeAgain } from "./judge-again.ts";
import { type JudgingContext, judgeInTemporaryStore } from "./judge-in-temporary-store.ts";
import { readyCatalog } from "./report-catalog.ts";
import { routeAgain } from "./route-again.ts";
import { refuseOtherModes } from "./same-modes.ts";

export interface DiffOrder {
  /** Over the new state: its skills and its catalog are the same folder. */
  pass: TriggerSuiteOptions;
  around: TriggerSuiteContext;
  base: Pick<BaseCatalog, "dir" | "label" | "inWords" | "warnings">;
  failOnSteal: boolean;
  allowInvalid: boolean;
  world: JudgingContext;
  /** Hears who will be asked, before anybody is. */
  onReady?: ((ready: Pick<ReadyTriggers, "subjects">) => void) | undefined;
}

/** A comparison, and the skills of the new state it speaks of. */
export interface ComparedCatalogs {
  diff: CatalogDiff;
  skills: readonly CatalogSkill[];
}

/** Puts the requests of an earlier state of a catalog to both states, and says what became of them. */
export async function compareCatalogs(order: DiffOrder): Promise<ComparedCatalogs> {
  const { pass, world, base } = order;
  const { maxCostUsd } = order.around;
  const around = { ...order.around, ...(maxCostUsd !== null && { budget: new Budget(maxCostUsd) }) };
  await using before = await readyBase(order, around);
  const known = triggeringsOf(before);
  const asked = headQueries(known, (entry, own) => {
    // One that takes no part any more has lost its requests; one that never did has none.
    const isAsked = known.has(entry.skill.id) || exclusionOf(entry.routable, pass.filters) === null;
    return isAsked ? withExamples(entry, own) : null;
  });
  await using after = await readyCatalog(pass, { ...around, triggeringOf: asked.triggeringOf });
  order.onReady?.({ subjects: [...before.subjects, ...after.subjects] });

  const basePass = passOver(base.dir, pass);
  const baseLines = await judgeInTemporaryStore(before, basePass, world);
  const again = await judgeAgain(before, basePass, world);
  const headLines = await judgeInTemporaryStore(after, pass, world);
  const comparable = headLines.filter((line) => !asked.isNew(line));
  const routedBefore = await routeAgain(baseLines, before, world.signal);
  const routed = await routeAgain(comparable, after, world.signal);
  refuseOtherModes({ lines: baseLines, routed: routedBefore }, { lines: comparable, routed });
  const states = { before, after, baseLines, again, headLines, comparable, asked, routedBefore, routed };
  const diff = foldCatalogs(states, order);
  return { diff, skills: after.catalog.skills };
}

/** The base cannot be fixed any more, so a block of it that is wrong is reported and left out. */
async function readyBase({ pass, base }: DiffOrder, around: TriggerSuiteContext): Promise<ReadyTriggers> {
  try {
    return await readyCatalog(passOver(base.dir, pass), { ...around, pardonsBlocks: true });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, path, jsonPath, hint } = error;
    throw new UserError(code, `in the base ${base.label}: ${base.inWords(error.message)}`, {
      path: path === null ? undefined : base.inWords(path),
      jsonPath: jsonPath ?? undefined,
      hint: hint === null ? undefined : base.inWords(hint),
      cause: error,
    });
  }
}

function passOver(dir: string, pass: TriggerSuiteOptions): TriggerSuiteOptions {
  return { ...pass, skills: [dir], catalog: [dir] };
}

function triggeringsOf({ subjects }: ReadyTriggers) {
  return new Map(
    subjects.flatMap(({ skill, triggering, skipped }) =>
      triggering === null || skipped !== null ? [] : [[skill.id, triggering] as const],
    ),
  );
}
