import { quoteValues } from "../../skills/agent-skill/quote-values.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { instructionsOf } from "./instructions-of.ts";
import { rawFrontmatter } from "./raw-frontmatter.ts";
import type { TextEdit } from "./text-edit.ts";
import { mayHoldComment } from "./written-fields.ts";

/** Puts values into quotes that YAML misreads without them. */
export async function quoteFields(folder: FixedFolder): Promise<Proposal | null> {
  const found = await instructionsOf(folder);
  const raw = found === null ? null : rawFrontmatter(found.text);
  if (found === null || raw === null) return null;
  const edits = changedLines(raw.block, quoteValues(raw.block).text);
  // What follows a # may be a comment or a part of the text.
  if (edits.length === 0 || edits.some(({ insert }) => mayHoldComment(insert))) return null;
  return { file: found.file, text: raw.edited(edits) };
}

/** Two blocks of as many lines, compared line by line. */
function changedLines(before: string, after: string): TextEdit[] {
  const lines = after.split("\n");
  const edits: TextEdit[] = [];
  let from = 0;
  for (const [index, line] of before.split("\n").entries()) {
    const insert = lines[index] ?? "";
    if (insert !== line) edits.push({ from, to: from + line.length, insert });
    from += line.length + 1;
  }
  return edits;
}
