import type { Card } from "../../../contract/judge.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { truncationTag } from "../../../shared/text/visible-text.ts";

const maxDescriptionChars = 2000;
const maxEntries = 40;
const maxEntryChars = 300;

/** Makes the card of a skill, whose gaps its `meta.yml` has filled already. */
export function makeCard(skill: Pick<DescribedSkill, "description" | "triggers" | "notFor">): Card {
  const cuts: string[] = [];
  const cut = (text: string, limit: number, what: string): string => {
    const characters = [...text];
    if (characters.length <= limit) return text;
    cuts.push(`${what} has ${characters.length} characters and is cut at ${limit}`);
    return characters.slice(0, limit - truncationTag.length).join("") + truncationTag;
  };
  const cutList = (entries: readonly string[], what: string): string[] => {
    if (entries.length > maxEntries)
      cuts.push(`${what} has ${entries.length} entries and is cut at ${maxEntries}`);
    return entries.slice(0, maxEntries).map((entry, index) => cut(entry, maxEntryChars, `${what}[${index}]`));
  };
  return {
    description: cut(skill.description, maxDescriptionChars, "description"),
    triggers: cutList(skill.triggers, "triggers"),
    notFor: cutList(skill.notFor, "not_for"),
    cuts,
  };
}
