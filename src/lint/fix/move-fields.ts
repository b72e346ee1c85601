import { isMap } from "../../shared/json/json-values.ts";
import { clientFields } from "../../skills/agent-skill/read-metadata.ts";
import { definedFields, meantField } from "../../skills/agent-skill/unknown-fields.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal, TextEdit } from "./fixer.ts";
import { type FixableFrontmatter, keepsFields, readFixableFrontmatter } from "./frontmatter.ts";
import { joinedList } from "./rewrite-values.ts";
import { isPlainText, lineEndAfter, mayHoldComment, type WrittenField, yamlText } from "./written-fields.ts";

/** Moves fields that the specification does not know under `metadata`, as text. Maps, and most lists, cannot be moved. */
export async function moveFields(folder: FixedFolder): Promise<Proposal | null> {
  const found = await readFixableFrontmatter(folder);
  if (found === null) return null;
  const { file, block, fields, edited } = found;
  const metadata = fields.find(({ key }) => key === "metadata");
  const moved = movable(found, metadata);
  const insertion = moved.length === 0 ? null : insertUnder(metadata, moved, block);
  if (insertion === null) return null;
  const removals = moved.map(({ begin, end }) => ({ from: begin, to: lineEndAfter(block, end), insert: "" }));
  const text = edited([...removals, insertion]);
  const gone = Object.fromEntries(moved.map(({ key }) => [key, undefined]));
  const added = Object.fromEntries(moved.map(({ key, value }) => [newKey(key), value]));
  const all = { ...(isMap(metadata?.value) ? metadata.value : {}), ...added };
  return (await keepsFields(found, text, { ...gone, metadata: all })) ? { file, text } : null;
}

function movable({ block, fields }: FixableFrontmatter, metadata: WrittenField | undefined): WrittenField[] {
  const values = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
  const taken = new Set(isMap(metadata?.value) ? Object.keys(metadata.value) : []);
  return fields.map(asText).filter((field) => {
    const { key, value, source, begin, end } = field;
    if (metadata?.collection === "flow" && behind(field, block) !== "") return false; // nowhere to put a comment
    if (definedFields.includes(key) || obeyedFields.has(key) || typeof value !== "string") return false;
    if (block.slice(begin, end).includes("\n") && mayHoldComment(source)) return false; // lines become one
    if (!clientFields.has(key) && meantField(key, values) !== null) return false; // misspelt, and for its author to fix
    const isTaken = taken.has(newKey(key));
    taken.add(newKey(key));
    return !isTaken;
  });
}

function asText(field: WrittenField): WrittenField {
  return { ...field, value: joinedList(field.key, field.value) ?? field.value };
}

/** Fields at the top level that some agent obeys: moved, one that hid a skill from the model would no longer do so. */
const obeyedFields: ReadonlySet<string> = new Set([
  "agent",
  "argument-hint",
  "arguments",
  "context",
  "disable-model-invocation",
  "effort",
  "hooks",
  "model",
  "paths",
  "shell",
  "user-invocable",
  "when_to_use",
]);

function newKey(key: string): string {
  return clientFields.get(key) ?? key;
}

/** After the last entry of `metadata`, in the same style; null if it is not a map that can be extended. */
function insertUnder(
  metadata: WrittenField | undefined,
  moved: readonly WrittenField[],
  block: string,
): TextEdit | null {
  const lines = (indent: string) => moved.map((field) => `${indent}${entry(field, block)}\n`).join("");
  if (metadata === undefined) {
    const at = block.length;
    return { from: at, to: at, insert: `metadata:\n${lines("  ")}` };
  }
  const { source, collection, value, end, afterColon } = metadata;
  if (source === "") {
    const at = lineEndAfter(block, afterColon);
    return { from: at, to: at, insert: lines("  ") };
  }
  if (!isMap(value)) return null;
  if (collection === "block") {
    const at = lineEndAfter(block, end);
    const first = block.indexOf(source, afterColon);
    const indent = block.slice(block.lastIndexOf("\n", first) + 1, first);
    return { from: at, to: at, insert: lines(indent) };
  }
  if (mayHoldComment(source)) return null;
  const inside = source.slice(1, -1).trimEnd();
  const at = end - source.length + 1 + inside.length;
  const glue = inside === "" ? " " : inside.endsWith(",") ? " " : ", ";
  return {
    from: at,
    to: at,
    insert: glue + moved.map((field) => flowEntry(field)).join(", ") + (inside === "" ? " " : ""),
  };
}

/** The entry with its trailing comment. */
function entry(field: WrittenField, block: string): string {
  return `${yamlText(newKey(field.key))}: ${newValue(field)}${behind(field, block)}`;
}

/** The rest of the line after a value. */
function behind({ end }: WrittenField, block: string): string {
  return block.slice(end, lineEndAfter(block, end)).trimEnd();
}

function flowEntry(field: WrittenField): string {
  const { value } = field;
  const text = typeof value === "string" && /^[\w.-]+$/.test(value) ? yamlText(value) : JSON.stringify(value);
  return `${yamlText(newKey(field.key))}: ${text}`;
}

/** What is quoted, or text to every reader, stays as it is written. */
function newValue({ source, value }: WrittenField): string {
  const stays = (/^["']/.test(source) && !source.includes("\n")) || isPlainText(source);
  return stays ? source : JSON.stringify(value);
}
