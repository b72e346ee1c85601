import { isName } from "../../skills/agent-skill/read-name.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { frontmatterOf } from "./frontmatter-of.ts";
import { isMisspelt } from "./is-misspelt.ts";
import { keepsFields } from "./keeps-fields.ts";
import { yamlText } from "./yaml-text.ts";

/** Gives a skill without a name that of its folder. One that has another name keeps it: either may be the right one. */
export async function addName(folder: FixedFolder): Promise<Proposal | null> {
  const found = await frontmatterOf(folder);
  if (found === null || !isName(folder.name) || found.fields.some(({ key }) => key === "name")) return null;
  if (isMisspelt("name", found.fields)) return null;
  const insert = `name: ${yamlText(folder.name)}\n`;
  const text = found.edited([{ from: 0, to: 0, insert }]);
  const isSafe = await keepsFields(found, text, { name: folder.name });
  return isSafe ? { file: found.file, text } : null;
}
