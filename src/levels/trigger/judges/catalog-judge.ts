import { hash } from "node:crypto";
import type { Judge, JudgedSkill } from "../../../contract/judge.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import { UserError } from "../../../shared/user-error.ts";
import { type Asking, askModel, parameters, type Reading } from "./ask-model.ts";
import { catalogPrompt, catalogPromptVersion } from "./catalog-prompt.ts";
import { lenientChoice } from "./lenient-choice.ts";
import { noSkill, readChoice } from "./read-choice.ts";
import { shuffledCards } from "./shuffled-cards.ts";

export interface CatalogAsking extends Asking {
  /** Those that may be chosen. */
  catalog: readonly JudgedSkill[];
  /** Decides the order in which cards are shown. */
  seed: number;
}

/** Lets a model choose one of all skills, or none; a yes for a skill means that it was the one. */
export function catalogJudge({ catalog, seed, ...asking }: CatalogAsking): Judge {
  refuseUnfit(catalog);
  const { model, reask } = asking;
  const catalogSha256 = hashOf(catalog);
  const ids = new Set(catalog.map(({ id }) => id));
  const idOf = lenientNames(catalog);
  return {
    kind: "catalog",
    model: model.id,
    prompt: catalogPromptVersion,
    label: "catalog",
    isDeterministic: false,
    isPaid: true,
    identity: {
      kind: "catalog",
      prompt: catalogPromptVersion,
      model: model.identity,
      catalog: catalogSha256,
      ...{ parameters, reask, seed },
    },
    async judge({ skill, query, repeat }, signal) {
      const cards = shuffledCards(catalog, { seed, query: query.text, repeat });
      const prompt = catalogPrompt({ cards, catalogSha256, query: query.text, repeat });
      const read = (reply: string): Reading => {
        const choice = readChoice(reply, ids);
        if (choice.ok) return { ...choice, outcome: choice.chosen === skill.id ? "yes" : "no" };
        const meant = lenientChoice(reply, idOf);
        return {
          ...choice,
          lenientDecision: meant === undefined ? null : meant === skill.id ? "yes" : "no",
        };
      };
      const answer = await askModel({ prompt, repeat }, read, asking, signal);
      return { ...answer, order: cards.map(({ id }) => id) };
    },
  };
}

const maxCards = 100;

/** Never shown in part: who was left out could not be chosen, and nobody would know. */
function refuseUnfit(catalog: readonly JudgedSkill[]): void {
  if (catalog.length > maxCards)
    throw new UserError(
      "usage",
      `the catalog has ${catalog.length} skills, and a judge sees at most ${maxCards} cards`,
      { hint: "narrow it with --host <name>, --group <names...> or --allow <ids...>" },
    );
  if (catalog.some(({ id }) => id === noSkill))
    throw new UserError("usage", `a skill with the id ${noSkill} cannot be distinguished from no skill`, {
      hint: "rename it, or exclude it with --allow <ids...>",
    });
}

/** By what is shown of the skills, in whatever order they were found. */
function hashOf(catalog: readonly JudgedSkill[]): string {
  const shown = catalog.map(({ id, card: { description, triggers, notFor } }) =>
    canonicalJson({ id, description, triggers, notFor }),
  );
  return hash("sha256", canonicalJson(shown.toSorted()), "hex");
}

/** Names in small letters; an id comes before another skill's alias. */
function lenientNames(catalog: readonly JudgedSkill[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { id, aliases } of catalog) for (const alias of aliases) names.set(alias.toLowerCase(), id);
  for (const { id } of catalog) names.set(id.toLowerCase(), id);
  return names;
}
