import type { JudgedSkill, JudgeQuestion } from "../src/contract/judge.ts";
import type { RoutedSkill, Router, Routing } from "../src/contract/routing.ts";

/** A skill as a judge sees it. */
export function judgedSkill(
  id: string,
  card: Partial<JudgedSkill["card"]> = {},
  aliases: string[] = [],
): JudgedSkill {
  return { id, aliases, card: { description: `Does ${id}.`, triggers: [], notFor: [], cuts: [], ...card } };
}

/** A question about a skill. */
export function questionAbout(skill: JudgedSkill, text = "please do it", repeat = 0): JudgeQuestion {
  return {
    skill: { ...skill, digest: `sha256:${skill.id}` },
    query: { id: `id-of-${text.slice(0, 20)}`, text },
    repeat,
  };
}

/** A skill in a router's result: rejected for a low score by default. */
export function routedSkill(id: string, facts: Partial<RoutedSkill> = {}): RoutedSkill {
  return {
    ...{ id, rank: null, selected: false, score: 0, lex: 0, emb: null, cos: null, phrase: 0, text: 0 },
    ...{ hits: [], terms: [], priority: 0, group: null, excluded: "below-threshold" },
    ...facts,
  };
}

/** A router that always gives this result. */
export function fixedRouter(skills: RoutedSkill[], facts: Partial<Routing> = {}): Router {
  const routing: Routing = {
    ...{ mode: "lexical", model: null, fallbackReason: "no embedder", margin: null, closeCall: false },
    ...{ catalogSha256: "", routerVersion: "router/test", minScore: 0.2 },
    ...{ total: skills.length, eligible: skills.length, skills },
    ...facts,
  };
  return {
    version: "router/test",
    mode: routing.mode === "lexical" ? "lexical" : `vectors: ${routing.model}`,
    catalogSha256: "",
    identity: { router: "test" },
    eligible: [],
    route: async () => routing,
  };
}
