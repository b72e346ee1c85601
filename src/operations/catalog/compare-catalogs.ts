import { join } from "node:path";
import type { QueryLine } from "../../contract/trigger-report.ts";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import type { ReadyTriggers, TriggerSuiteContext } from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { queryName } from "../../levels/trigger/verdict/query-line.ts";
import { Budget } from "../../models/budget.ts";
import { exclusionOf } from "../../routing/eligible.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { descriptionPlace } from "../../skills/skill-description.ts";
import type { BaseCatalog } from "./base-catalog.ts";
import { headQueries, withExamples } from "./catalog-queries.ts";
import type { CatalogDiff } from "./compare/catalog-report.ts";
import { foldCatalogs } from "./fold-catalogs.ts";
import { type JudgingContext, judgeAgain, judgeInTemporaryStore } from "./judge-in-temporary-store.ts";
import { readyCatalog } from "./report-catalog.ts";
import { type RoutedAgain, routeAgain } from "./route-again.ts";

interface DiffOrder {
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
interface ComparedCatalogs {
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

/** One state of a catalog, as the router saw it. */
interface RoutedState {
  lines: readonly QueryLine[];
  routed: Pick<RoutedAgain, "routingOf">;
}

/** Choices by words and choices by vectors cannot be compared: a difference would say nothing about an edit. */
function refuseOtherModes(before: RoutedState, after: RoutedState): void {
  const firsts = new Map(before.lines.map((line) => [queryName(line), before.routed.routingOf(line)]));
  for (const line of after.lines) {
    const one = firsts.get(queryName(line)) ?? null;
    const other = after.routed.routingOf(line);
    if (one === null || other === null || one.mode === other.mode) continue;
    const why = one.fallbackReason ?? other.fallbackReason ?? "vectors are missing";
    const where = one.mode === "lexical" ? "the base" : "the new state";
    throw new UserError(
      "model-invalid",
      `the router has no vectors for ${shownText(line.query)} in ${where}, so the two states cannot be compared: ${why}`,
      { hint: "fix the embedder and try again, or set router.embedding to null to compare by words only" },
    );
  }
}

/** A place in a file, as annotations point at it. */
interface FilePlace {
  /** Absolute. */
  file: string;
  line: number | null;
}

/** Where the descriptions stand of skills that took or lost requests. */
export async function descriptionPlaces(
  { moved }: Pick<CatalogDiff, "moved">,
  skills: readonly CatalogSkill[],
): Promise<ReadonlyMap<string, FilePlace>> {
  const wanted = new Set(moved.flatMap(({ from, to }) => [from, to]));
  const places = new Map<string, FilePlace>();
  for (const { skill, found } of skills) {
    if (!wanted.has(skill.id)) continue;
    const place = await descriptionPlace(skill, new SkillFolder(found.dir, found.manifestFile));
    places.set(skill.id, { file: join(found.dir, place.file), line: place.line ?? null });
  }
  return places;
}
