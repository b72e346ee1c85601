import type { Node, Pair } from "yaml";
import { isMap } from "../../shared/json/is-map.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { frontmatterOf } from "./frontmatter-of.ts";
import { joinedList } from "./joined-list.ts";
import { keepsFields } from "./keeps-fields.ts";
import type { TextEdit } from "./text-edit.ts";
import { mayHoldComment } from "./written-fields.ts";
import { yamlText } from "./yaml-text.ts";

/** Writes the lists under `metadata` that are read as text with separators as such: `tags: [a, b]` as `tags: "a; b"`. */
export async function joinLists(folder: FixedFolder): Promise<Proposal | null> {
  const found = await frontmatterOf(folder);
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
