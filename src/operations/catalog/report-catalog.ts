import { notLoadedLines } from "../../contract/not-loaded.ts";
import type { RoutableSkill, RoutingSettings } from "../../contract/routing.ts";
import type { JudgeName } from "../../contract/trigger-report.ts";
import {
  prepareTriggers,
  type ReadyTriggers,
  type TriggerSuiteContext,
} from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { findExclusion } from "../../routing/eligible.ts";
import { probes } from "../../routing/probes.ts";
import { termOverlaps, termWeights } from "../../routing/routing-terms.ts";
import { groupedBy, inOrder } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { withExamples } from "./catalog-queries.ts";
import type { CatalogReport, SharedName } from "./compare/catalog-report.ts";
import { type AnsweredQuery, hasTooManyUnanswered, isUnanswered } from "./compare/query-meaning.ts";
import { selfRouting, stealsIn } from "./compare/self-routing.ts";
import { type JudgingContext, judgeInTemporaryStore } from "./judge-in-temporary-store.ts";
import { askOffTopic } from "./off-topic.ts";
import { routeAgain } from "./route-again.ts";

interface ReportCatalogRequest {
  /** Its skills and its catalog are the same folder. */
  suite: TriggerSuiteOptions;
  context: TriggerSuiteContext;
  /** Requests for nobody; null: those that come with the product. */
  offTopic: readonly string[] | null;
  /** The share of the queries of each skill that may have no answer. */
  maxInvalid: number;
  judging: JudgingContext;
  /** Called before the first query is judged. */
  onReady?: ((ready: Pick<ReadyTriggers, "subjects">) => void) | undefined;
}

/** Examines skills that are installed together: which get requests meant for others, and what they share. */
export async function reportCatalog(request: ReportCatalogRequest): Promise<CatalogReport> {
  const { suite, judging, maxInvalid } = request;
  await using ready = await readyCatalog(suite, request.context);
  request.onReady?.(ready);
  const lines = await judgeInTemporaryStore(ready, suite, judging);
  const positives = lines.filter(({ side }) => side === "should_match");
  const answered = positives.filter((line) => !isUnanswered(line));
  const routed = await routeAgain(answered, ready, judging.signal);
  const { eligible } = ready.judges.lexical;
  const tested = new Set(positives.map(({ skillId }) => skillId));
  const offTopic = await askOffTopic(request.offTopic ?? [...probes.other, ...probes.han], ready, judging);
  const asked = [
    ...positives.map((line) => ({ skillId: line.skillId, isUnanswered: isUnanswered(line) })),
    ...offTopicAnswers(offTopic),
  ];
  return {
    judges: listJudges(ready),
    skills: ready.catalog.skills.length,
    eligible: eligible.length,
    queries: positives.length,
    unanswered: positives.length - answered.length,
    untested: eligible.map(({ id }) => id).filter((id) => !tested.has(id)),
    selfRouting: selfRouting(answered, routed),
    collisions: collisionsIn(eligible, suite.router.cjk),
    steals: stealsIn(answered, routed),
    coSelected: routed.coSelected,
    closeCalls: routed.closeCalls,
    offTopic,
    notLoaded: ready.catalog.notLoaded,
    duplicates: ready.catalog.duplicates,
    warnings: [...notLoadedLines(ready.catalog.notLoaded), ...ready.warnings, ...routed.warnings],
    exitCode: ready.catalog.notLoaded.length > 0 ? 2 : hasTooManyUnanswered(asked, maxInvalid) ? 3 : 0,
  };
}

function offTopicAnswers({ of, unanswered }: CatalogReport["offTopic"]): AnsweredQuery[] {
  const answer = (isUnanswered: boolean) => ({ skillId: null, isUnanswered });
  return [...Array(of).fill(answer(false)), ...Array(unanswered).fill(answer(true))];
}

/** Prepares the trigger suite of a folder of skills, with their examples as queries. */
export async function readyCatalog(
  suite: TriggerSuiteOptions,
  context: TriggerSuiteContext,
): Promise<ReadyTriggers> {
  const ready = await prepareTriggers(suite, {
    triggeringFor: (entry, own) =>
      findExclusion(entry.routable, suite.filters) === null ? withExamples(entry, own) : null,
    ...context,
    listsUntested: true,
    isWholeCatalog: true,
    leavesExamplesOut: true,
  });
  if (ready !== null) return ready;
  throw new UserError("nothing-to-do", `no readable skill in ${suite.skills.join(" ")}`, {
    hint: `eval-skills doctor ${suite.skills.join(" ")}`,
  });
}

/** The judges of a catalog, each once. */
export function listJudges({ subjects }: Pick<ReadyTriggers, "subjects">): JudgeName[] {
  const names = subjects.flatMap(({ skipped, judgeName }) => (skipped === null ? [judgeName] : []));
  const same = groupedBy(names, ({ kind, model, prompt }) => JSON.stringify([kind, model, prompt]));
  return [...same.values()].map(([first]) => first);
}

/** Pairs below this are alike by chance only. */
const minLikeness = 0.1;
const maxPairs = 500;
const maxShared = 8;

/** Names that several skills have, and pairs that are found by the same words, the worst first. */
function collisionsIn(
  skills: readonly RoutableSkill[],
  cjk: RoutingSettings["cjk"],
): CatalogReport["collisions"] {
  const folded = (text: string) => text.normalize("NFKC").toLowerCase().trim();
  const { pairs, count } = termOverlaps(termWeights(skills, cjk), { least: minLikeness, most: maxPairs });
  return {
    triggers: sharedNames(skills, ({ triggers }) => triggers.map(folded)),
    tools: sharedNames(skills, ({ toolNames }) => toolNames),
    terms: pairs.map(({ shared, ...pair }) => ({ ...pair, shared: shared.slice(0, maxShared) })),
    alikePairs: count,
  };
}

function sharedNames(
  skills: readonly RoutableSkill[],
  getNames: (skill: RoutableSkill) => readonly string[],
): SharedName[] {
  const owners = new Map<string, Set<string>>();
  for (const skill of skills)
    for (const name of getNames(skill))
      if (name !== "") owners.set(name, (owners.get(name) ?? new Set()).add(skill.id));
  return [...owners]
    .filter(([, ids]) => ids.size > 1)
    .map(([name, ids]) => ({ name, skills: [...ids].sort() }))
    .sort((a, b) => b.skills.length - a.skills.length || inOrder(a.name, b.name));
}
