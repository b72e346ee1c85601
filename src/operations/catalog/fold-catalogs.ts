import { notLoadedLines } from "../../contract/not-loaded.ts";
import type { JudgeName, QueryLine } from "../../contract/trigger-report.ts";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { canonicalJson } from "../../shared/json/canonical-json.ts";
import type { BaseCatalog } from "./base-catalog.ts";
import type { HeadQueries } from "./catalog-queries.ts";
import { type CatalogDiff, type NewQuery, type QueryChange, queryChanges } from "./compare/catalog-report.ts";
import { compareQueries } from "./compare/compare-queries.ts";
import { compareSkills } from "./compare/compare-skills.ts";
import { compareTools } from "./compare/compare-tools.ts";
import { movedQueries } from "./compare/moved-queries.ts";
import { measureFlipRate } from "./compare/own-noise.ts";
import {
  hasTooManyUnanswered,
  isRight,
  isUnanswered,
  meantFor,
  type ResolveId,
} from "./compare/query-meaning.ts";
import { listJudges } from "./report-catalog.ts";
import type { RoutedAgain } from "./route-again.ts";

/** Two states of a catalog with their judgments. */
interface JudgedStates {
  before: ReadyTriggers;
  after: ReadyTriggers;
  baseLines: readonly QueryLine[];
  /** The base once more, where its judge may contradict itself. */
  again: readonly QueryLine[];
  headLines: readonly QueryLine[];
  /** Those of them that the base has too. */
  comparable: readonly QueryLine[];
  headQueries: HeadQueries;
  routedBefore: RoutedAgain;
  routed: RoutedAgain;
}

interface DiffOptions {
  base: Pick<BaseCatalog, "label" | "showPaths" | "warnings">;
  failOnSteal: boolean;
  maxInvalid: number;
}

/** Compares requests, skills and tools of two states of a catalog. */
export function foldCatalogs(
  states: JudgedStates,
  { base, failOnSteal, maxInvalid }: DiffOptions,
): CatalogDiff {
  const { before, after, baseLines, again, headLines, headQueries } = states;
  const resolveId = idResolver(before);
  const [old, now] = [byId(before), byId(after)];
  const queries = compareQueries({
    before: baseLines,
    after: states.comparable,
    resolveId,
    isThere: (id) => now.has(id),
    isDropped: headQueries.isDropped,
    explainChoice: states.routed.explainChoice,
  });
  const flipRate = measureFlipRate(baseLines, again, resolveId);
  const unsteady = new Set(again.map(({ skillId }) => skillId));
  const facts = {
    isEdited: (id: string) => factsOrNull(old.get(id)) !== factsOrNull(now.get(id)),
    isAdded: (id: string) => !old.has(id),
    flipRateOf: ({ skillId }: { skillId: string }) => (unsteady.has(skillId) ? flipRate : null),
  };
  const moved = movedQueries(queries, facts);
  const newQueries = headLines.filter(headQueries.isNew).map((line) => newQuery(line, idResolver(after)));
  const counts = countChanges(queries);
  const asked = [
    ...queries.map(({ skillId, change }) => ({ skillId, isUnanswered: change === "unknown" })),
    ...newQueries.map(({ skillId, isRight }) => ({ skillId, isUnanswered: isRight === null })),
    ...again.map((line) => ({ skillId: line.skillId, isUnanswered: isUnanswered(line) })),
  ];
  const unanswered = asked.filter((query) => query.isUnanswered).length;
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
    notLoaded: after.catalog.notLoaded,
    warnings: collectWarnings(base, states),
    exitCode: diffExitCode({
      notLoaded: after.catalog.notLoaded.length,
      isUnknown: hasTooManyUnanswered(asked, maxInvalid),
      isStolen: failOnSteal && moved.some((pair) => !pair.isInconclusive),
    }),
  };
}

function byId({ catalog }: ReadyTriggers): Map<string, CatalogSkill> {
  return new Map(catalog.skills.map((entry) => [entry.skill.id, entry]));
}

function factsOrNull(entry: CatalogSkill | undefined): string | null {
  return entry === undefined ? null : decidingFacts(entry);
}

function idResolver({ catalog }: ReadyTriggers): ResolveId {
  const ids = new Map<string, string>();
  for (const { skill } of catalog.skills) for (const alias of skill.aliases) ids.set(alias, skill.id);
  for (const { skill } of catalog.skills) ids.set(skill.id, skill.id);
  return (name) => ids.get(name) ?? name;
}

function newQuery(line: QueryLine, resolveId: ResolveId): NewQuery {
  const { skillId, queryId, query, side, chosen } = line;
  const right = isRight(line, meantFor(line, resolveId));
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
  return listJudges({ subjects: [...before.subjects, ...after.subjects] });
}

function countChanges(queries: readonly { change: QueryChange }[]): Record<QueryChange, number> {
  const counts = Object.fromEntries(queryChanges.map((change) => [change, 0])) as Record<QueryChange, number>;
  for (const { change } of queries) counts[change]++;
  return counts;
}

function collectWarnings(
  base: DiffOptions["base"],
  { before, after, baseLines, routed }: JudgedStates,
): string[] {
  const none = `the base ${base.label} has no queries, so there is nothing to compare`;
  return [
    ...base.warnings,
    ...[...notLoadedLines(before.catalog.notLoaded), ...before.warnings].map(
      (warning) => `in the base: ${base.showPaths(warning)}`,
    ),
    ...notLoadedLines(after.catalog.notLoaded),
    ...after.warnings,
    ...routed.warnings,
    ...(baseLines.length === 0 ? [none] : []),
  ];
}

/** A missing verdict takes precedence over a steal, which must not be reported where the result is unknown. */
function diffExitCode(found: { notLoaded: number; isUnknown: boolean; isStolen: boolean }): 0 | 1 | 2 | 3 {
  const { notLoaded, isUnknown, isStolen } = found;
  if (notLoaded > 0) return 2;
  if (isUnknown) return 3;
  return isStolen ? 1 : 0;
}

/** The parts of a skill that decide whether it is chosen: edits of its body do not count. */
function decidingFacts({ routable, judged: { card } }: CatalogSkill): string {
  const { toolNames, aliases, ...facts } = routable;
  const { description, triggers, notFor } = card;
  return canonicalJson({ ...facts, aliases: [...aliases].sort(), card: { description, triggers, notFor } });
}
