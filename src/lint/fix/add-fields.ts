import { placeholderDescription } from "../../contract/skill-facts.ts";
import { isName } from "../../skills/agent-skill/read-name.ts";
import { definedFields, meantField } from "../../skills/agent-skill/unknown-fields.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { keepsFields, rawFrontmatter, readFixableFrontmatter, readInstructions } from "./frontmatter.ts";
import { lineEndAfter, mayHoldComment, type WrittenField, yamlText } from "./written-fields.ts";

/** Gives a skill without a name that of its folder. One that has another name keeps it: either may be the right one. */
export async function addName(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableFrontmatter(folder);
  if (found === null || !isName(folder.name) || found.fields.some(({ key }) => key === "name")) return null;
  if (isMisspelt("name", found.fields)) return null;
  const insert = `name: ${yamlText(folder.name)}\n`;
  const text = found.edited([{ from: 0, to: 0, insert }]);
  const isSafe = await keepsFields(found, text, { name: folder.name });
  return isSafe ? { file: found.file, text } : null;
}

/** Gives a skill without a description the sentence of the templates. */
export async function addDescription(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableFrontmatter(folder);
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

/** Whether a missing field is present but misspelt, which its author has to fix: a placeholder would hide it. */
function isMisspelt(field: string, fields: readonly WrittenField[]): boolean {
  const values = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
  return fields.some(({ key }) => !definedFields.includes(key) && meantField(key, values) === field);
}

/** Gives a `SKILL.md` without frontmatter a block, or puts the one it has at its beginning. */
export async function addFrontmatter(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readInstructions(folder);
  if (found === null || rawFrontmatter(found.text) !== null) return null;
  const { file, text } = found;
  const [bom] = /^\ufeff?/.exec(text) ?? [""];
  const rest = text.slice(bom.length);
  const fromFirstLine = rest.replace(/^(?:[ \t]*\r?\n)+(?=---\r?\n)/, "");
  if (rawFrontmatter(fromFirstLine) !== null) return { file, text: bom + fromFirstLine };
  if (!isName(folder.name) || isBegun(rest)) return null;
  const lineEnd = /\r?\n/.exec(rest)?.[0] ?? "\n";
  const lines = [
    "---",
    `name: ${yamlText(folder.name)}`,
    `description: ${yamlText(placeholderDescription(folder.name))}`,
    "---",
    "",
  ];
  const gap = rest === "" || /^\r?\n/.test(rest) ? "" : lineEnd;
  return { file, text: bom + lines.join(lineEnd) + gap + rest };
}

/** Whether somebody wrote fields, only not between two lines that are exactly `---`: a second block would hide them. */
function isBegun(text: string): boolean {
  return (
    /^---/.test(text) ||
    text.split("\n", 50).some((line) => /^\s*["']?(?:name|description)["']?\s*:/i.test(line))
  );
}
