import type { Document, Node, Pair, YAMLError } from "yaml";
import { isUnsafeKey } from "./safe-keys.ts";
import { scanYaml } from "./scan-yaml.ts";

export interface YamlRules {
  /** `core` reads numbers, truth values and null; with `strings` every scalar stays the text that was written. */
  scalars: "core" | "strings";
  /** How deep lists and maps may be nested. */
  depth: number;
  /** How many aliases may be written out; 0 refuses anchors too. */
  aliases: number;
}

export interface YamlFault {
  /** `syntax`: it is no YAML. `construct`: it is, and says something that is not allowed here. */
  kind: "syntax" | "construct";
  /** 1-based. */
  line: number;
  column: number;
  problem: string;
}

export interface TextPlace {
  /** 1-based. */
  line: number;
  column: number;
}

export type LocatedYaml =
  | {
      ok: true;
      /** Plain JSON. */
      value: unknown;
      /** Where a member begins: its key in a map, itself in a list; null where there is none. */
      placeOf: (steps: readonly PropertyKey[]) => TextPlace | null;
    }
  | { ok: false; fault: YamlFault };

/** Reads YAML of a stranger as plain JSON and remembers where each member stands. The first fault ends it. */
export async function parseLocatedYaml(text: string, rules: YamlRules): Promise<LocatedYaml> {
  const yaml = await import("yaml");
  const { depth } = rules;
  const deep = scanYaml(new yaml.Lexer(), text, { depth, aliases: rules.aliases });
  if (deep !== null) return { ok: false, fault: { kind: "construct", column: 1, ...deep } };
  const document = yaml.parseDocument(text, {
    schema: rules.scalars === "core" ? "core" : "failsafe",
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false, // checked below: the parser compares every key with every other
    prettyErrors: false, // making them pretty takes minutes when there are many
    logLevel: "error",
  });
  const first: YAMLError | undefined = document.errors[0] ?? document.warnings[0];
  if (first !== undefined) {
    const kind =
      first.code === "TAG_RESOLVE_FAILED" || first.code === "MULTIPLE_DOCS" ? "construct" : "syntax";
    return { ok: false, fault: { kind, ...placeAt(text, first.pos[0]), problem: inWords(first) } };
  }
  const reader = new PlainValue(yaml, document, rules);
  try {
    const value = reader.of(document.contents, 0);
    const placeOf = (steps: readonly PropertyKey[]) => {
      const at = positionOf(yaml, document.contents, steps);
      return at === null ? null : placeAt(text, at);
    };
    return { ok: true, value, placeOf };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { at, message } = error;
    return { ok: false, fault: { kind: "construct", ...placeAt(text, at), problem: message } };
  }
}

/** The parser's message, except where it speaks to programmers. */
function inWords({ code, message }: YAMLError): string {
  return code === "MULTIPLE_DOCS" ? "a second document begins here; only one is read" : message;
}

type Yaml = typeof import("yaml");

class Refusal extends Error {
  readonly at: number;
  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
  }
}

/** Turns parsed nodes into JSON, with aliases written out. */
class PlainValue {
  readonly #yaml: Yaml;
  readonly #document: Document;
  readonly #rules: YamlRules;
  #aliases = 0;

  constructor(yaml: Yaml, document: Document, rules: YamlRules) {
    this.#yaml = yaml;
    this.#document = document;
    this.#rules = rules;
  }

  of(node: Node | null, depth: number): unknown {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    const { aliases, depth: maxDepth, scalars } = this.#rules;
    if (node === null) return scalars === "core" ? null : "";
    if (aliases === 0 && "anchor" in node && typeof node.anchor === "string" && !isAlias(node))
      this.#refuse(node, `the anchor &${node.anchor} is not allowed`);
    if (isScalar(node)) return this.#scalar(node, node.value);
    if (depth >= maxDepth) this.#refuse(node, `nested deeper than ${maxDepth} levels`);
    if (isSeq<Node>(node)) return node.items.map((item) => this.of(item, depth + 1));
    if (isMap<Node, Node | null>(node)) return this.#map(node.items, depth);
    if (!isAlias(node)) return this.#refuse(node, "holds something that JSON cannot say");
    if (aliases === 0) this.#refuse(node, `the alias *${node.source} is not allowed`);
    if (++this.#aliases > aliases) this.#refuse(node, `more than ${aliases} aliases`);
    const target = node.resolve(this.#document);
    if (target === undefined) return this.#refuse(node, `the alias *${node.source} has no anchor`);
    return this.of(target, depth + 1);
  }

  #map(pairs: readonly Pair<Node, Node | null>[], depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      if (!this.#yaml.isScalar(key) || key.value === null)
        return this.#refuse(key, "a key must be a plain word");
      const name = String(key.value);
      if (isUnsafeKey(name)) this.#refuse(key, `the key ${JSON.stringify(name)} is not allowed`);
      if (entries.has(name)) this.#refuse(key, `the key ${JSON.stringify(name)} stands twice in one map`);
      entries.set(name, this.of(value, depth + 1));
    }
    return Object.fromEntries(entries);
  }

  #scalar(node: Node, value: unknown): unknown {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return this.#refuse(node, "holds a value that JSON cannot say");
  }

  #refuse(node: Node | null, problem: string): never {
    throw new Refusal(node?.range?.[0] ?? 0, problem);
  }
}

function positionOf(yaml: Yaml, root: Node | null, steps: readonly PropertyKey[]): number | null {
  let node: Node | null = root;
  let at = root?.range?.[0] ?? 0;
  for (const step of steps) {
    if (yaml.isMap<Node, Node | null>(node)) {
      const pair = node.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) return null;
      at = pair.key.range?.[0] ?? at;
      node = pair.value;
    } else if (yaml.isSeq<Node>(node)) {
      const item: Node | undefined = node.items[Number(step)];
      if (item === undefined) return null;
      at = item.range?.[0] ?? at;
      node = item;
    } else return null;
  }
  return at;
}

/** Line and column of a position in a text. */
export function placeAt(text: string, position: number): TextPlace {
  const before = text.slice(0, position);
  return { line: before.split("\n").length, column: position - before.lastIndexOf("\n") };
}
