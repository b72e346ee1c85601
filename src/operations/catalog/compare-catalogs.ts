import { join } from "node:path";
import type { QueryLine } from "../../contract/trigger-report.ts";
import type { CatalogSkill } from "../../levels/trigger/load-catalog.ts";
import type { ReadyTriggers, TriggerSuiteContext } from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { queryName } from "../../levels/trigger/verdict/query-line.ts";
import { findExclusion } from "../../routing/eligible.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { locateDescription } from "../../skills/skill-description.ts";
import type { BaseCatalog } from "./base-catalog.ts";
import { headQueries, withExamples } from "./catalog-queries.ts";
import type { CatalogDiff } from "./compare/catalog-report.ts";
import { foldCatalogs } from "./fold-catalogs.ts";
import { type JudgingContext, judgeAgain, judgeInTemporaryStore } from "./judge-in-temporary-store.ts";
import { readyCatalog } from "./report-catalog.ts";
import { type RoutedAgain, routeAgain } from "./route-again.ts";

interface CompareCatalogsRequest {
  /** Over the new state: its skills and its catalog are the same folder. */
  suite: TriggerSuiteOptions;
  context: TriggerSuiteContext;
  base: Pick<BaseCatalog, "dir" | "label" | "showPaths" | "warnings">;
  failOnSteal: boolean;
  /** The share of the queries of each skill that may have no answer. */
  maxInvalid: number;
  judging: JudgingContext;
  /** Called before the first query is judged. */
  onReady?: ((ready: Pick<ReadyTriggers, "subjects">) => void) | undefined;
}

/** A comparison, and the skills of the new state. */
interface ComparedCatalogs {
  diff: CatalogDiff;
  skills: readonly CatalogSkill[];
}

/** Judges the queries of an earlier state of a catalog in both states, and compares the results. */
export async function compareCatalogs(request: CompareCatalogsRequest): Promise<ComparedCatalogs> {
  const { suite, context, judging, base } = request;
  await using before = await readyBase(request, context);
  const known = activeTriggerings(before);
  const head = headQueries(known, (entry, own) => {
    // A skill that is now excluded has lost its requests; one that always was has none.
    const takesPart = known.has(entry.skill.id) || findExclusion(entry.routable, suite.filters) === null;
    return takesPart ? withExamples(entry, own) : null;
  });
  await using after = await readyCatalog(suite, { ...context, triggeringFor: head.triggeringOf });
  request.onReady?.({ subjects: [...before.subjects, ...after.subjects] });

  const baseSuite = suiteOver(base.dir, suite);
  const baseLines = await judgeInTemporaryStore(before, baseSuite, judging);
  const again = await judgeAgain(before, baseSuite, judging);
  const headLines = await judgeInTemporaryStore(after, suite, judging);
  const comparable = headLines.filter((line) => !head.isNew(line));
  const routedBefore = await routeAgain(baseLines, before, judging.signal);
  const routed = await routeAgain(comparable, after, judging.signal);
  refuseOtherModes({ lines: baseLines, routed: routedBefore }, { lines: comparable, routed });
  const states = {
    before,
    after,
    baseLines,
    again,
    headLines,
    comparable,
    headQueries: head,
    routedBefore,
    routed,
  };
  const diff = foldCatalogs(states, request);
  return { diff, skills: after.catalog.skills };
}

/** The base cannot be fixed any more, so its invalid blocks are reported and left out. */
async function readyBase(
  { suite, base }: CompareCatalogsRequest,
  context: TriggerSuiteContext,
): Promise<ReadyTriggers> {
  try {
    return await readyCatalog(suiteOver(base.dir, suite), { ...context, pardonsBlocks: true });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, path, jsonPath, hint } = error;
    throw new UserError(code, `in the base ${base.label}: ${base.showPaths(error.message)}`, {
      path: path === null ? undefined : base.showPaths(path),
      jsonPath: jsonPath ?? undefined,
      hint: hint === null ? undefined : base.showPaths(hint),
      cause: error,
    });
  }
}

function suiteOver(dir: string, suite: TriggerSuiteOptions): TriggerSuiteOptions {
  return { ...suite, skills: [dir], catalog: [dir] };
}

function activeTriggerings({ subjects }: ReadyTriggers) {
  return new Map(
    subjects.flatMap(({ skill, triggering, skipped }) =>
      triggering === null || skipped !== null ? [] : [[skill.id, triggering] as const],
    ),
  );
}

/** One state of a catalog, as the router saw it. */
interface RoutedState {
  lines: readonly QueryLine[];
  routed: Pick<RoutedAgain, "findRouting">;
}

/** Choices by words and by vectors cannot be compared: a difference would not be due to an edit. */
function refuseOtherModes(before: RoutedState, after: RoutedState): void {
  const firsts = new Map(before.lines.map((line) => [queryName(line), before.routed.findRouting(line)]));
  for (const line of after.lines) {
    const one = firsts.get(queryName(line)) ?? null;
    const other = after.routed.findRouting(line);
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

/** A location in a file, for annotations. */
interface FileLocation {
  /** Absolute. */
  file: string;
  line: number | null;
}

/** Finds the descriptions of skills that took or lost requests. */
export async function findDescriptions(
  { moved }: Pick<CatalogDiff, "moved">,
  skills: readonly CatalogSkill[],
): Promise<ReadonlyMap<string, FileLocation>> {
  const wanted = new Set(moved.flatMap(({ from, to }) => [from, to]));
  const locations = new Map<string, FileLocation>();
  for (const { skill, found } of skills) {
    if (!wanted.has(skill.id)) continue;
    const location = await locateDescription(skill, new SkillFolder(found.dir, found.manifestFile));
    locations.set(skill.id, { file: join(found.dir, location.file), line: location.line ?? null });
  }
  return locations;
}
