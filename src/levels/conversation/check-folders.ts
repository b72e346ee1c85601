import { countOf } from "../../shared/text/count-of.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { refusalOf } from "../../skills/finding-words.ts";
import type { CatalogSnapshot } from "../../skills/skill-catalog.ts";

/** Refuses duplicate ids and an invalid skill whose own cases are run; warns of other invalid skills. */
export function checkFolders(
  { conflicts, broken }: Pick<CatalogSnapshot, "conflicts" | "broken">,
  /** The folders that the cases lie in. */
  own: ReadonlySet<string>,
): string[] {
  const duplicate = conflicts.find(({ rule }) => rule === "path");
  if (duplicate !== undefined)
    throw new UserError(
      "skill-duplicate",
      `duplicate skill id ${shownText(duplicate.name)}: ${[duplicate.winner, ...duplicate.losers].map((folder) => shownText(folder, 200)).join(" and ")}`,
      { path: duplicate.winner, hint: "rename one of them, or choose other folders with setup.skill_roots" },
    );
  for (const { found, diagnostics } of broken) {
    const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
    if (first !== undefined && own.has(found.dir)) throw refusalOf([first, ...more], found);
  }
  const [first] = broken.map(({ found }) => found.shown).sort();
  if (first === undefined) return [];
  const rest = broken.length === 1 ? "" : " and others";
  return [`${countOf(broken.length, "skill")} cannot be read: \`eval-skills doctor ${first}\`${rest}`];
}
