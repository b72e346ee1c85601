import { toolTokens } from "../../skills/agent-skill/tool-tokens.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { frontmatterOf } from "./frontmatter-of.ts";
import { keepsFields } from "./keeps-fields.ts";
import { mayHoldComment } from "./written-fields.ts";
import { yamlText } from "./yaml-text.ts";

/** Writes a list of tools, or one with commas, as the words separated by spaces that agents read. */
export async function separateTools(folder: FixedFolder): Promise<Proposal | null> {
  const found = await frontmatterOf(folder);
  const tools = found?.fields.find(({ key }) => key === "allowed-tools");
  if (found == null || tools === undefined || mayHoldComment(tools.source)) return null;
  if (Array.isArray(tools.value) && !isSame(tools.value.flatMap(tokensOf), tokensOf(tools.value)))
    return null;
  const tokens = tokensOf(tools.value);
  const words = tokens.join(" ");
  if (tokens.length === 0 || words === tools.value || !isSame(tokensOf(words), tokens)) return null;
  const text = found.edited([{ from: tools.afterColon, to: tools.end, insert: ` ${yamlText(words)}` }]);
  const isSafe = await keepsFields(found, text, { "allowed-tools": words });
  return isSafe ? { file: found.file, text } : null;
}

function tokensOf(written: unknown): string[] {
  return toolTokens(written).tokens;
}

/** A parenthesis that one item opens must not close in another. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((token, index) => token === b[index]);
}
