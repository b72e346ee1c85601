import type { CatalogDiff, NewQuery, QueryChange } from "../contract/catalog-report.ts";
import { queryChanges } from "../contract/catalog-report.ts";
import type { JudgeName, QueryLine } from "../contract/trigger-report.ts";
import { UserError } from "../contract/user-error.ts";
import { Budget } from "../models/budget.ts";
import { exclusionOf } from "../routing/eligible.ts";
import type { BaseCatalog } from "./base-catalog.ts";
import { compareQueries } from "./compare-queries.ts";
import { compareSkills } from "./compare-skills.ts";
import { compareTools } from "./compare-tools.ts";
import { decidingFacts } from "./deciding-facts.ts";
import { withExamples } from "./example-queries.ts";
import { type HeadQueries, headQueries } from "./head-queries.ts";
import { isUnanswered } from "./is-unanswered.ts";
import { judgeAgain } from "./judge-again.ts";
import { judgeUnkept, type UnkeptWorld } from "./judge-unkept.ts";
import type { CatalogSkill } from "./load-catalog.ts";
import { movedQueries } from "./moved-queries.ts";
import { flipRateOf } from "./own-noise.ts";
import type { PassSurroundings, ReadyTriggers } from "./prepare-triggers.ts";
import { type IdOf, isRight, meantFor } from "./query-meaning.ts";
import { judgesOf, readyCatalog } from "./report-catalog.ts";
import { type RoutedAgain, routeAgain } from "./route-again.ts";
import { refuseOtherModes } from "./same-modes.ts";
import type { PassOptions } from "./trigger-request.ts";

export interface DiffOrder {
  /** Over the new state: its skills and its catalog are the same folder. */
  pass: PassOptions;
  around: PassSurroundings;
  base: Pick<BaseCatalog, "dir" | "label" | "inWords" | "warnings">;
  failOnSteal: boolean;
  allowInvalid: boolean;
  world: UnkeptWorld;
  /** Hears who will be asked, before anybody is. */
  hear?: ((ready: ReadyTriggers) => void) | undefined;
}

/** A comparison, and the skills of the new state it speaks of. */
export interface ComparedCatalogs {
  diff: CatalogDiff;
  skills: readonly CatalogSkill[];
}

/** Puts the requests of an earlier state of a catalog to both states, and tells what became of them. */
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
  order.hear?.(before);

  const basePass = passOver(base.dir, pass);
  const baseLines = await judgeUnkept(before, basePass, world);
  const again = await judgeAgain(before, basePass, world);
  const headLines = await judgeUnkept(after, pass, world);
  const comparable = headLines.filter((line) => !asked.isNew(line));
  const routedBefore = await routeAgain(baseLines, before, world.signal);
  const routed = await routeAgain(comparable, after, world.signal);
  refuseOtherModes({ lines: baseLines, routed: routedBefore }, { lines: comparable, routed });
  const states = { before, after, baseLines, again, headLines, comparable, asked, routedBefore, routed };
  const diff = diffOf(order, states);
  return { diff, skills: after.catalog.skills };
}

interface JudgedStates {
  before: ReadyTriggers;
  after: ReadyTriggers;
  baseLines: readonly QueryLine[];
  /** The base once more, where its judge may contradict itself. */
  again: readonly QueryLine[];
  headLines: readonly QueryLine[];
  /** Those of them that the base was asked too. */
  comparable: readonly QueryLine[];
  asked: HeadQueries;
  routedBefore: RoutedAgain;
  routed: RoutedAgain;
}

function diffOf({ base, failOnSteal, allowInvalid }: DiffOrder, states: JudgedStates): CatalogDiff {
  const { before, after, baseLines, again, headLines, asked } = states;
  const idOf = idsOf(before);
  const [old, now] = [byId(before), byId(after)];
  const queries = compareQueries({
    before: baseLines,
    after: states.comparable,
    idOf,
    isThere: (id) => now.has(id),
    isDropped: asked.isDropped,
    becauseOf: states.routed.becauseOf,
  });
  const flipRate = flipRateOf(baseLines, again, idOf);
  const unsteady = new Set(again.map(({ skillId }) => skillId));
  const facts = {
    isEdited: (id: string) => factsOf(old.get(id)) !== factsOf(now.get(id)),
    isAdded: (id: string) => !old.has(id),
    flipRateOf: ({ skillId }: { skillId: string }) => (unsteady.has(skillId) ? flipRate : null),
  };
  const moved = movedQueries(queries, facts);
  const newQueries = headLines.filter(asked.isNew).map((line) => newQuery(line, idsOf(after)));
  const counts = countChanges(queries);
  const unanswered =
    counts.unknown +
    newQueries.filter((query) => query.isRight === null).length +
    again.filter(isUnanswered).length;
  return {
    base: base.label,
    judges: judgesOfBoth(before, after),
    counts,
    moved,
    closer: closerSkills(states),
    skills: compareSkills(queries, facts),
    queries,
    newQueries,
    added: [...now.keys()].filter((id) => !old.has(id)),
    removed: removedSkills(before, now),
    tools: [...now.values()].flatMap(({ skill }) => {
      const earlier = old.get(skill.id);
      const tools = earlier === undefined ? null : compareTools(earlier.skill, skill);
      return tools === null ? [] : [tools];
    }),
    flipRate,
    unanswered,
    warnings: warningsOf(base, states),
    exitCode: exitCodeOf({
      isUnknown: unanswered > 0 && !allowInvalid,
      isStolen: failOnSteal && moved.some((pair) => !pair.isInconclusive),
    }),
  };
}

/** The base cannot be mended any more, so a block of it that is wrong is told and left out. */
async function readyBase({ pass, base }: DiffOrder, around: PassSurroundings): Promise<ReadyTriggers> {
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

function passOver(dir: string, pass: PassOptions): PassOptions {
  return { ...pass, skills: [dir], catalog: [dir] };
}

function triggeringsOf({ subjects }: ReadyTriggers) {
  return new Map(
    subjects.flatMap(({ skill, triggering, skipped }) =>
      triggering === null || skipped !== null ? [] : [[skill.id, triggering] as const],
    ),
  );
}

function byId({ catalog }: ReadyTriggers): Map<string, CatalogSkill> {
  return new Map(catalog.skills.map((entry) => [entry.skill.id, entry]));
}

function factsOf(entry: CatalogSkill | undefined): string | null {
  return entry === undefined ? null : decidingFacts(entry);
}

function idsOf({ catalog }: ReadyTriggers): IdOf {
  const ids = new Map<string, string>();
  for (const { skill } of catalog.skills) for (const alias of skill.aliases) ids.set(alias, skill.id);
  for (const { skill } of catalog.skills) ids.set(skill.id, skill.id);
  return (name) => ids.get(name) ?? name;
}

function newQuery(line: QueryLine, idOf: IdOf): NewQuery {
  const { skillId, queryId, query, side, chosen } = line;
  const right = isRight(line, meantFor(line, idOf));
  return { skillId, queryId, query, side, isRight: right, ...(chosen !== undefined && { chosen }) };
}

function removedSkills(
  { catalog, subjects }: ReadyTriggers,
  now: ReadonlyMap<string, CatalogSkill>,
): CatalogDiff["removed"] {
  const queries = new Map(subjects.map(({ skill, queries }) => [skill.id, queries.length]));
  return catalog.skills
    .filter(({ skill }) => !now.has(skill.id))
    .map(({ skill }) => ({ skillId: skill.id, queries: queries.get(skill.id) ?? 0 }));
}

function closerSkills({ routedBefore, routed }: JudgedStates): CatalogDiff["closer"] {
  const before = new Map(
    routedBefore.coSelected.map(({ skills, queries }) => [JSON.stringify(skills), queries]),
  );
  return routed.coSelected
    .map(({ skills, queries }) => ({
      skills,
      before: before.get(JSON.stringify(skills)) ?? 0,
      after: queries,
    }))
    .filter((pair) => pair.after > pair.before)
    .sort((a, b) => b.after - b.before - (a.after - a.before));
}

function judgesOfBoth(before: ReadyTriggers, after: ReadyTriggers): JudgeName[] {
  return judgesOf({ subjects: [...before.subjects, ...after.subjects] });
}

function countChanges(queries: readonly { change: QueryChange }[]): Record<QueryChange, number> {
  const counts = Object.fromEntries(queryChanges.map((change) => [change, 0])) as Record<QueryChange, number>;
  for (const { change } of queries) counts[change]++;
  return counts;
}

function warningsOf(base: DiffOrder["base"], { before, after, baseLines, routed }: JudgedStates): string[] {
  const none = `the base ${base.label} has no queries, so there is nothing to compare`;
  return [
    ...base.warnings,
    ...before.warnings.map((warning) => `in the base: ${base.inWords(warning)}`),
    ...after.warnings,
    ...routed.warnings,
    ...(baseLines.length === 0 ? [none] : []),
  ];
}

/** No verdict beats a steal: nobody should read of one where we simply do not know. */
function exitCodeOf({ isUnknown, isStolen }: { isUnknown: boolean; isStolen: boolean }): 0 | 1 | 3 {
  if (isUnknown) return 3;
  return isStolen ? 1 : 0;
}
