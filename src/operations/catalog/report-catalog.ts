import type { RoutableSkill, RoutingSettings } from "../../contract/routing.ts";
import type { JudgeName } from "../../contract/trigger-report.ts";
import {
  prepareTriggers,
  type ReadyTriggers,
  type TriggerSuiteContext,
} from "../../levels/trigger/prepare.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { exclusionOf } from "../../routing/eligible.ts";
import { probes } from "../../routing/probes.ts";
import { termOverlaps, termWeights } from "../../routing/routing-terms.ts";
import { groupedBy, inOrder } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { withExamples } from "./catalog-queries.ts";
import type { CatalogReport, SharedName } from "./compare/catalog-report.ts";
import { isUnanswered } from "./compare/query-meaning.ts";
import { selfRouting, stealsIn } from "./compare/self-routing.ts";
import { type JudgingContext, judgeInTemporaryStore } from "./judge-in-temporary-store.ts";
import { askOffTopic } from "./off-topic.ts";
import { routeAgain } from "./route-again.ts";

interface CatalogOrder {
  /** Its skills and its catalog are the same folder. */
  pass: TriggerSuiteOptions;
  around: TriggerSuiteContext;
  /** Requests for nobody; null: those that come with the product. */
  offTopic: readonly string[] | null;
  world: JudgingContext;
  /** Hears who will be asked, before anybody is. */
  onReady?: ((ready: Pick<ReadyTriggers, "subjects">) => void) | undefined;
}

/** Looks at skills that are installed together: who gets whose requests, and what they share. */
export async function reportCatalog(order: CatalogOrder): Promise<CatalogReport> {
  const { pass, world } = order;
  await using ready = await readyCatalog(pass, order.around);
  order.onReady?.(ready);
  const lines = await judgeInTemporaryStore(ready, pass, world);
  const positives = lines.filter(({ side }) => side === "should_match");
  const answered = positives.filter((line) => !isUnanswered(line));
  const routed = await routeAgain(answered, ready, world.signal);
  const { eligible } = ready.judges.lexical;
  const tested = new Set(positives.map(({ skillId }) => skillId));
  const offTopic = await askOffTopic(order.offTopic ?? [...probes.other, ...probes.han], ready, world);
  return {
    judges: judgesOf(ready),
    skills: ready.catalog.skills.length,
    eligible: eligible.length,
    queries: positives.length,
    unanswered: positives.length - answered.length,
    untested: eligible.map(({ id }) => id).filter((id) => !tested.has(id)),
    selfRouting: selfRouting(answered, routed),
    collisions: collisionsIn(eligible, pass.router.cjk),
    steals: stealsIn(answered, routed),
    coSelected: routed.coSelected,
    closeCalls: routed.closeCalls,
    offTopic,
    warnings: [...ready.warnings, ...routed.warnings],
  };
}

/** Everything about the skills of a folder that can be known before anybody is asked; examples are queries too. */
export async function readyCatalog(
  pass: TriggerSuiteOptions,
  around: TriggerSuiteContext,
): Promise<ReadyTriggers> {
  const ready = await prepareTriggers(pass, {
    triggeringOf: (entry, own) =>
      exclusionOf(entry.routable, pass.filters) === null ? withExamples(entry, own) : null,
    ...around,
    listsUntested: true,
    isWholeCatalog: true,
    leavesExamplesOut: true,
  });
  if (ready !== null) return ready;
  throw new UserError("nothing-to-do", `no readable skill in ${pass.skills.join(" ")}`, {
    hint: `eval-skills doctor ${pass.skills.join(" ")}`,
  });
}

/** Who is asked about the queries of a catalog, each once. */
export function judgesOf({ subjects }: Pick<ReadyTriggers, "subjects">): JudgeName[] {
  const asked = subjects.flatMap(({ skipped, judgeName }) => (skipped === null ? [judgeName] : []));
  const same = groupedBy(asked, ({ kind, model, prompt }) => JSON.stringify([kind, model, prompt]));
  return [...same.values()].map(([first]) => first);
}

/** Pairs below this are alike by chance. */
const leastLikeness = 0.1;
/** Nobody reads more of them. */
const maxPairs = 500;
const maxShared = 8;

/** Names that several skills have, and pairs that are found by the same words, the worst first. */
function collisionsIn(
  skills: readonly RoutableSkill[],
  cjk: RoutingSettings["cjk"],
): CatalogReport["collisions"] {
  const folded = (text: string) => text.normalize("NFKC").toLowerCase().trim();
  const { pairs, count } = termOverlaps(termWeights(skills, cjk), { least: leastLikeness, most: maxPairs });
  return {
    triggers: sharedNames(skills, ({ triggers }) => triggers.map(folded)),
    tools: sharedNames(skills, ({ toolNames }) => toolNames),
    terms: pairs.map(({ shared, ...pair }) => ({ ...pair, shared: shared.slice(0, maxShared) })),
    alikePairs: count,
  };
}

function sharedNames(
  skills: readonly RoutableSkill[],
  namesOf: (skill: RoutableSkill) => readonly string[],
): SharedName[] {
  const owners = new Map<string, Set<string>>();
  for (const skill of skills)
    for (const name of namesOf(skill))
      if (name !== "") owners.set(name, (owners.get(name) ?? new Set()).add(skill.id));
  return [...owners]
    .filter(([, ids]) => ids.size > 1)
    .map(([name, ids]) => ({ name, skills: [...ids].sort() }))
    .sort((a, b) => b.skills.length - a.skills.length || inOrder(a.name, b.name));
}
