import type { Node, Pair } from "yaml";
import { isMap } from "../../shared/json/json-values.ts";
import { toolTokens } from "../../skills/agent-skill/allowed-tools.ts";
import { quoteValues } from "../../skills/agent-skill/quote-values.ts";
import { listedFields } from "../../skills/agent-skill/unknown-fields.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal, TextEdit } from "./fixer.ts";
import { keepsFields, rawFrontmatter, readFixableFrontmatter, readInstructions } from "./frontmatter.ts";
import { mayHoldComment, yamlText } from "./written-fields.ts";

/** Puts values into quotes that YAML misreads without them. */
export async function quoteFields(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readInstructions(folder);
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

/** Writes a list of tools, or one with commas, as the words separated by spaces that agents read. */
export async function separateTools(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableFrontmatter(folder);
  const tools = found?.fields.find(({ key }) => key === "allowed-tools");
  if (found == null || tools === undefined || mayHoldComment(tools.source)) return null;
  if (Array.isArray(tools.value) && !isSame(tools.value.flatMap(listTokens), listTokens(tools.value)))
    return null;
  const tokens = listTokens(tools.value);
  const words = tokens.join(" ");
  if (tokens.length === 0 || words === tools.value || !isSame(listTokens(words), tokens)) return null;
  const text = found.edited([{ from: tools.afterColon, to: tools.end, insert: ` ${yamlText(words)}` }]);
  const isSafe = await keepsFields(found, text, { "allowed-tools": words });
  return isSafe ? { file: found.file, text } : null;
}

function listTokens(written: unknown): string[] {
  return toolTokens(written).tokens;
}

/** A parenthesis that one item opens must not close in another. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((token, index) => token === b[index]);
}

/** Writes the lists under `metadata` that are read as text with separators as such: `tags: [a, b]` as `tags: "a; b"`. */
export async function joinLists(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableFrontmatter(folder);
  const metadata = found?.fields.find(({ key }) => key === "metadata")?.value;
  if (found === null || !isMap(metadata)) return null;
  const edits: TextEdit[] = [];
  const joined: Record<string, string> = {};
  for (const { key, afterColon, end } of await listsIn(found.block)) {
    const text = joinedList(key, metadata[key]);
    if (text === null || mayHoldComment(found.block.slice(afterColon, end))) continue;
    joined[key] = text;
    edits.push({ from: afterColon, to: end, insert: ` ${yamlText(text)}` });
  }
  if (edits.length === 0) return null;
  const text = found.edited(edits);
  const isSafe = await keepsFields(found, text, { metadata: { ...metadata, ...joined } });
  return isSafe ? { file: found.file, text } : null;
}

interface WrittenList {
  key: string;
  afterColon: number;
  /** Without white space behind it. */
  end: number;
}

/** The lists right below `metadata` in a block that is known to be sound. */
async function listsIn(block: string): Promise<WrittenList[]> {
  const yaml = await import("yaml");
  const document = yaml.parseDocument(block, { schema: "failsafe", prettyErrors: false, uniqueKeys: false });
  const metadata = document.get("metadata", true);
  if (!yaml.isMap<Node, Node | null>(metadata)) return [];
  return metadata.items.flatMap(({ key, value }: Pair<Node, Node | null>) => {
    if (!yaml.isScalar(key) || !yaml.isSeq(value)) return [];
    const colon = block.indexOf(":", key.range?.[1] ?? 0);
    const [, to = 0] = value.range ?? [];
    const end = block.slice(0, to).trimEnd().length;
    return colon === -1 ? [] : [{ key: String(key.value), afterColon: colon + 1, end }];
  });
}

/** A list as the text that represents it under `metadata`; null where it would be read as another one. */
export function joinedList(key: string, value: unknown): string | null {
  if (!listedFields.has(key) || !Array.isArray(value) || !value.every(isItem)) return null;
  return value.join("; ");
}

/** A text that no separator divides and that has no white space to lose. */
function isItem(item: unknown): item is string {
  return typeof item === "string" && item !== "" && item.trim() === item && !/[;\n]/.test(item);
}
