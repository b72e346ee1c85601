import type { CatalogReport, SharedName } from "../contract/catalog-report.ts";
import type { RoutableSkill } from "../contract/routing.ts";
import type { QueryLine } from "../contract/trigger-report.ts";
import { UserError } from "../contract/user-error.ts";
import { probes } from "../routing/probes.ts";
import { termOverlaps, termWeights } from "../routing/routing-terms.ts";
import { countedShare } from "./counted-share.ts";
import { withExamples } from "./example-queries.ts";
import { judgeUnkept, type UnkeptWorld } from "./judge-unkept.ts";
import { askOffTopic } from "./off-topic.ts";
import { type PassSurroundings, prepareTriggers, type ReadyTriggers } from "./prepare-triggers.ts";
import { routeAgain } from "./route-again.ts";
import { selfRouting, stealsIn } from "./self-routing.ts";
import type { PassOptions } from "./trigger-request.ts";

export interface CatalogOrder {
  pass: PassOptions;
  around: PassSurroundings;
  /** Requests for nobody; null: those that come with the product. */
  offTopic: readonly string[] | null;
  world: UnkeptWorld;
}

/** Pairs below this are alike by chance. */
const leastLikeness = 0.15;

/** Looks at skills that are installed together: who gets whose requests, and what they share. */
export async function reportCatalog({ pass, around, offTopic, world }: CatalogOrder): Promise<CatalogReport> {
  const asked = { ...around, listsUntested: true, triggeringOf: withExamples, leavesExamplesOut: true };
  await using ready = await readyCatalog(pass, asked);
  const lines = await judgeUnkept(ready, pass, world);
  const judged = ready.subjects.find(({ skipped }) => skipped === null);
  const positives = lines.filter(({ side }) => side === "should_match");
  const routed = await routeAgain(positives, ready, world.signal);
  const routables = ready.catalog.skills.map(({ routable }) => routable);
  return {
    judge: judged?.judgeName ?? { kind: "router", model: null, prompt: null },
    skills: routables.length,
    queries: positives.length,
    unanswered: positives.filter(isUnanswered).length,
    selfRouting: selfRouting(positives.filter((line) => !isUnanswered(line))),
    collisions: collisionsIn(routables, pass),
    steals: stealsIn(
      positives.filter((line) => !isUnanswered(line)),
      routed,
    ),
    coSelected: routed.coSelected,
    closeCalls: routed.closeCalls,
    offTopic: offTopicShare(await askOffTopic(offTopic ?? [...probes.other, ...probes.han], ready, world)),
    warnings: ready.warnings,
  };
}

function isUnanswered({ yes, no }: QueryLine): boolean {
  return yes + no === 0;
}

async function readyCatalog(pass: PassOptions, around: PassSurroundings): Promise<ReadyTriggers> {
  const ready = await prepareTriggers(pass, around);
  if (ready !== null) return ready;
  throw new UserError("nothing-to-do", `there is no skill in ${pass.skills.join(" ")}`);
}

/** Names that several skills have, and pairs that are found by the same words. */
function collisionsIn(
  skills: readonly RoutableSkill[],
  { router }: PassOptions,
): CatalogReport["collisions"] {
  return {
    triggers: sharedNames(skills, ({ triggers }) =>
      triggers.map((text) => text.normalize("NFKC").toLowerCase().trim()),
    ),
    tools: sharedNames(skills, ({ toolNames }) => toolNames),
    terms: termOverlaps(termWeights(skills, router.cjk), { least: leastLikeness }).map(
      ({ skills, likeness, shared }) => ({ skills, likeness, shared: shared.slice(0, 8) }),
    ),
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
    .sort((a, b) => b.skills.length - a.skills.length || (a.name < b.name ? -1 : 1));
}

function offTopicShare(asked: { query: string; chosen: string | null }[]): CatalogReport["offTopic"] {
  const queries = asked.flatMap(({ query, chosen }) => (chosen === null ? [] : [{ query, chosen }]));
  return { ...countedShare(queries.length, asked.length), queries };
}
