import type { Judge } from "../../../contract/judge.ts";
import type { Router } from "../../../contract/routing.ts";
import { type Clock, systemClock } from "../../../shared/async/clock.ts";
import { noEffort } from "./no-effort.ts";
import { routingWords } from "./routing-words.ts";

export interface RouterJudgeOptions {
  router: Router;
  /** What counts as a yes: among the selected, or the first of them. */
  rank: "selected" | "top1";
  /** Whether a lexical choice is an error. */
  requireVectors: boolean;
  /** Whether an example of the skill that equals the request is left out of its routing text: it would prove nothing. */
  leavesExamplesOut?: boolean | undefined;
  clock?: Clock;
}

/** Lets the router choose, without a model: deterministic and free. */
export function routerJudge({
  router,
  rank,
  requireVectors,
  leavesExamplesOut = false,
  clock = systemClock,
}: RouterJudgeOptions): Judge {
  const isLexical = router.mode === "lexical";
  const examples = leavesExamplesOut ? examplesById(router) : null;
  return {
    kind: "router",
    // The embedder decides as much as a chat model.
    model: isLexical ? null : router.mode.replace(/^vectors: /, ""),
    prompt: router.version,
    label: `router (${router.mode})`,
    isDeterministic: true,
    isPaid: false,
    identity: { kind: "router", router: router.identity, rank, requireVectors },
    async judge({ skill, query }, signal) {
      signal.throwIfAborted();
      const began = clock.monotonic();
      const isExample = examples?.get(skill.id)?.has(query.text) === true;
      const without = isExample ? { skillId: skill.id, example: query.text } : undefined;
      const routing = await router.route({ query: query.text, without, about: [skill.id] }, signal);
      const ms = Math.round((clock.monotonic() - began) * 1000) / 1000;
      const effort = { ...noEffort, ms, usd: routing.mode === "lexical" ? 0 : null };
      if (requireVectors && routing.mode === "lexical") {
        const message = `vectors are required and were not used: ${routing.fallbackReason ?? "no reason given"}`;
        return { outcome: "error", code: "transport", message, ...effort };
      }
      const routed = routing.skills.find(({ id }) => id === skill.id);
      if (routed === undefined)
        return {
          outcome: "error",
          code: "refused",
          message: `the router does not know skill ${skill.id}`,
          ...effort,
        };
      const first = routing.skills.find((other) => other.rank === 1);
      const isChosen = rank === "top1" ? routed === first : routed.selected;
      const isSecond = routed.selected && !isChosen;
      const reason = `${isSecond ? `after ${first?.id}: ` : ""}${routingWords(routed)}`;
      return { outcome: isChosen ? "yes" : "no", reason, chosen: first?.id ?? null, ...effort };
    },
  };
}

function examplesById({ eligible }: Router): Map<string, ReadonlySet<string>> {
  return new Map(eligible.map(({ id, examples }) => [id, new Set(examples)]));
}
