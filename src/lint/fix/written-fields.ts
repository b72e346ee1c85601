import type { Node } from "yaml";
import { isMap as isPlainMap } from "../../shared/json/json-values.ts";
import { parseLocatedYaml } from "../../shared/json/located-yaml.ts";

/** A field at the top level of a frontmatter block: its value and its position. */
export interface WrittenField {
  key: string;
  value: unknown;
  /** Where its line begins. */
  begin: number;
  /** Behind the colon. */
  afterColon: number;
  /** Where the value ends, without white space behind it; the colon's end where there is none. */
  end: number;
  /** The value as it is written; empty where there is none. */
  source: string;
  /** Where its value is a map or a list: how that is written. */
  collection: "flow" | "block" | null;
}

/** The fields of a block that is sound YAML, one below the other; null where it is anything else. */
export async function writtenFields(block: string): Promise<WrittenField[] | null> {
  const read = await parseLocatedYaml(block, { scalars: "strings", depth: 8, aliases: 0 });
  if (!read.ok) return null;
  if (read.value === "") return []; // nothing but comments
  if (!isPlainMap(read.value)) return null;
  const { value: values } = read;
  const yaml = await import("yaml");
  // Keys are unique, else parsing would have failed; checking again takes quadratic time.
  const { contents } = yaml.parseDocument(block, {
    schema: "failsafe",
    prettyErrors: false,
    uniqueKeys: false,
  });
  if (!yaml.isMap<Node, Node | null>(contents) || contents.flow === true) return null;
  const fields: WrittenField[] = [];
  for (const { key, value } of contents.items) {
    const [begin = 0, keyEnd = 0] = key.range ?? [];
    const name = yaml.isScalar(key) ? String(key.value) : "";
    const colon = block.indexOf(":", keyEnd);
    const isPlain = begin === 0 || block[begin - 1] === "\n";
    if (!isPlain || colon === -1 || block.slice(keyEnd, colon).trim() !== "") return null;
    const afterColon = colon + 1;
    const [from = afterColon, to = afterColon] = value?.range ?? [];
    const source = to > afterColon ? block.slice(from, to).trimEnd() : "";
    fields.push({
      key: name,
      value: values[name],
      begin,
      afterColon,
      end: source === "" ? afterColon : from + source.length,
      source,
      collection: yaml.isCollection(value) ? (value.flow === true ? "flow" : "block") : null,
    });
  }
  return fields;
}

/** Where the line that a position lies in ends, its line end included. */
export function lineEndAfter(block: string, position: number): number {
  const end = block.indexOf("\n", position);
  return end === -1 ? block.length : end + 1;
}

/** Whether a piece of YAML may hold a comment; one that is only a part of a text counts too. */
export function mayHoldComment(source: string): boolean {
  return /(?:^|\s)#/.test(source);
}

/** A text as YAML writes it, plain where every reader takes it for text, else in quotes. */
export function yamlText(text: string): string {
  return isPlainText(text) ? text : JSON.stringify(text);
}

/** Whether a plain scalar is text to every reader of YAML, old ones included, also inside brackets. */
export function isPlainText(text: string): boolean {
  if (!/^[A-Za-z][\w ./()*:@+-]*$/.test(text) || text.endsWith(" ")) return false;
  return !/:(?:\s|$)/.test(text) && !notText.test(text);
}

const notText = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
