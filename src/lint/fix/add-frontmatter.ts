import { placeholderDescription } from "../../contract/placeholder-description.ts";
import { isName } from "../../skills/agent-skill/read-name.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { instructionsOf } from "./instructions-of.ts";
import { rawFrontmatter } from "./raw-frontmatter.ts";
import { yamlText } from "./yaml-text.ts";

/** Gives a `SKILL.md` without frontmatter a block, or puts the one it has at its beginning. */
export async function addFrontmatter(folder: FixedFolder): Promise<Proposal | null> {
  const found = await instructionsOf(folder);
  if (found === null || rawFrontmatter(found.text) !== null) return null;
  const { file, text } = found;
  const [mark] = /^\ufeff?/.exec(text) ?? [""];
  const rest = text.slice(mark.length);
  const fromFirstLine = rest.replace(/^(?:[ \t]*\r?\n)+(?=---\r?\n)/, "");
  if (rawFrontmatter(fromFirstLine) !== null) return { file, text: mark + fromFirstLine };
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
  return { file, text: mark + lines.join(lineEnd) + gap + rest };
}

/** Whether somebody wrote fields, only not between two lines that are exactly `---`: a second block would hide them. */
function isBegun(text: string): boolean {
  return (
    /^---/.test(text) ||
    text.split("\n", 50).some((line) => /^\s*["']?(?:name|description)["']?\s*:/i.test(line))
  );
}
