import { countOf } from "../../base/count-of.ts";
import { shownText } from "../../base/visible-text.ts";
import { UserError } from "../../contract/user-error.ts";
import { refusalOf } from "../../skills/finding-words.ts";
import type { CatalogSnapshot } from "../../skills/skill-catalog.ts";

/** Refuses two folders of one id, and a skill whose own cases are asked for and which is none; tells of the others that are none. */
export function checkFolders(
  { conflicts, broken }: Pick<CatalogSnapshot, "conflicts" | "broken">,
  /** The folders that the cases lie in. */
  own: ReadonlySet<string>,
): string[] {
  const twins = conflicts.find(({ rule }) => rule === "path");
  if (twins !== undefined)
    throw new UserError(
      "skill-duplicate",
      `the id ${shownText(twins.name)} is there twice: ${[twins.winner, ...twins.losers].map((folder) => shownText(folder, 200)).join(" and ")}`,
      { path: twins.winner, hint: "rename one of them, or name other folders with setup.skill_roots" },
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
