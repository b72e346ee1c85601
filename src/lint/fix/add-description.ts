import { placeholderDescription } from "../../contract/placeholder-description.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { frontmatterOf } from "./frontmatter-of.ts";
import { isMisspelt } from "./is-misspelt.ts";
import { keepsFields } from "./keeps-fields.ts";
import { lineEndAfter, mayHoldComment, type WrittenField } from "./written-fields.ts";
import { yamlText } from "./yaml-text.ts";

/** Gives a skill without a description the sentence of the templates. */
export async function addDescription(folder: FixedFolder): Promise<Proposal | null> {
  const found = await frontmatterOf(folder);
  if (found === null) return null;
  const { file, block, fields, edited } = found;
  const name = fields.find(({ key }) => key === "name");
  const written = fields.find(({ key }) => key === "description");
  if ((written !== undefined && !isBlank(written)) || isMisspelt("description", fields)) return null;
  const sentence = placeholderDescription(typeof name?.value === "string" ? name.value.trim() : folder.name);
  const behindName = name === undefined ? block.length : lineEndAfter(block, name.end);
  const edit =
    written === undefined
      ? { from: behindName, to: behindName, insert: `description: ${yamlText(sentence)}\n` }
      : { from: written.afterColon, to: written.end, insert: ` ${yamlText(sentence)}` };
  const text = edited([edit]);
  const isSafe = await keepsFields(found, text, { description: sentence });
  return isSafe ? { file, text } : null;
}

function isBlank({ value, source }: WrittenField): boolean {
  return typeof value === "string" && value.trim() === "" && !mayHoldComment(source);
}
