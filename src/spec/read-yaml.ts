import type { Document, Node, Pair, YAMLError } from "yaml";
import { isUnsafeKey } from "../base/safe-keys.ts";
import { maxNesting } from "../base/strict-json.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { type ErrorCode, UserError } from "../contract/user-error.ts";
import { readTextFile } from "./read-text-file.ts";
import { scanYaml } from "./scan-yaml.ts";

const yamlFileCapBytes = 1024 * 1024;
const maxAliases = 100;

/** The content of a YAML file as plain JSON. Whatever is wrong with it becomes a UserError with this code, the file and the line. */
export async function readYamlFile(path: string, code: ErrorCode, shownPath: string = path): Promise<Json> {
  const text = readTextFile(path, { code, capBytes: yamlFileCapBytes, shownPath });
  return parseYamlText(text, code, shownPath);
}

/** The same for text that has already been read. */
export async function parseYamlText(text: string, code: ErrorCode, shownPath: string): Promise<Json> {
  const yaml = await import("yaml");
  const refuse = (line: number, problem: string): never => {
    throw new UserError(code, `${shownPath}, line ${line}: ${problem}`, { path: shownPath });
  };
  const fault = scanYaml(new yaml.Lexer(), text, { depth: maxNesting, aliases: maxAliases });
  if (fault !== null) return refuse(fault.line, fault.problem);
  const document = yaml.parseDocument(text, {
    schema: "core",
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false, // checked below: the parser compares every key with every other
    prettyErrors: false, // making them pretty takes minutes when there are many
    logLevel: "error",
  });
  const first: YAMLError | undefined = document.errors[0] ?? document.warnings[0];
  if (first !== undefined) return refuse(lineOf(text, first.pos[0]), inWords(first));
  return new PlainValue(yaml, document, (node, problem) =>
    refuse(lineOf(text, node?.range?.[0] ?? 0), problem),
  ).of(document.contents, 0);
}

/** The parser's message, except where it speaks to programmers. */
function inWords({ code, message }: YAMLError): string {
  return code === "MULTIPLE_DOCS" ? "a second document begins here; only one is read" : message;
}

type Yaml = typeof import("yaml");
type Refuse = (node: Node | null, problem: string) => never;

/** Turns parsed nodes into JSON, with aliases written out. */
class PlainValue {
  readonly #yaml: Yaml;
  readonly #document: Document;
  readonly #refuse: Refuse;
  #aliases = 0;

  constructor(yaml: Yaml, document: Document, refuse: Refuse) {
    this.#yaml = yaml;
    this.#document = document;
    this.#refuse = refuse;
  }

  of(node: Node | null, depth: number): Json {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    if (node === null) return null;
    if (isScalar(node)) return this.#scalar(node, node.value);
    if (depth >= maxNesting) return this.#refuse(node, `nested deeper than ${maxNesting} levels`);
    if (isSeq<Node>(node)) return node.items.map((item) => this.of(item, depth + 1));
    if (isMap<Node, Node | null>(node)) return this.#map(node.items, depth);
    if (!isAlias(node)) return this.#refuse(node, "holds something that JSON cannot say");
    if (++this.#aliases > maxAliases) return this.#refuse(node, `more than ${maxAliases} aliases`);
    const target = node.resolve(this.#document);
    if (target === undefined) return this.#refuse(node, `the alias *${node.source} has no anchor`);
    return this.of(target, depth + 1);
  }

  #map(pairs: readonly Pair<Node, Node | null>[], depth: number): JsonObject {
    const entries = new Map<string, Json>();
    for (const { key, value } of pairs) {
      if (!this.#yaml.isScalar(key) || key.value === null)
        return this.#refuse(key, "a key must be a plain word");
      const name = String(key.value);
      if (isUnsafeKey(name)) return this.#refuse(key, `the key ${JSON.stringify(name)} is not allowed`);
      if (entries.has(name))
        return this.#refuse(key, `the key ${JSON.stringify(name)} stands twice in one map`);
      entries.set(name, this.of(value, depth + 1));
    }
    return Object.fromEntries(entries);
  }

  #scalar(node: Node, value: unknown): Json {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return this.#refuse(node, "holds a value that JSON cannot say");
  }
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
