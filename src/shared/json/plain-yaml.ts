import type { Alias, Document, Node, Pair } from "yaml";
import { shorten } from "../text/visible-text.ts";
import { isUnsafeKey } from "./json-values.ts";
import type { YamlRules } from "./located-yaml.ts";

type Yaml = typeof import("yaml");

/** Something that is not allowed, and where it is. */
export interface Refused {
  at: number;
  problem: string;
}

/** Why nothing more can be read. */
export class Refusal extends Error implements Refused {
  readonly at: number;
  readonly problem: string;
  constructor(at: number, problem: string) {
    super(problem);
    this.at = at;
    this.problem = problem;
  }
}

/** Turns parsed nodes into JSON, with aliases written out. What is not allowed but harmless is left out and reported. */
export class PlainYaml {
  readonly refused: Refused[] = [];
  readonly #yaml: Yaml;
  readonly #document: Document;
  readonly #rules: YamlRules;
  readonly #text: string;
  #aliases = 0;

  constructor(yaml: Yaml, document: Document, rules: YamlRules, text: string) {
    this.#yaml = yaml;
    this.#document = document;
    this.#rules = rules;
    this.#text = text;
  }

  of(node: Node | null, depth: number): unknown {
    const { isAlias, isMap, isScalar, isSeq } = this.#yaml;
    const { depth: maxDepth, scalars } = this.#rules;
    if (node === null) return scalars === "core" ? null : "";
    if (isAlias(node)) return this.#alias(node, depth);
    this.#reportProperties(node);
    if (isScalar(node)) return this.#scalar(node, node.value);
    if (depth >= maxDepth) this.#refuse(node, `nesting deeper than ${maxDepth} levels is not allowed`);
    if (isSeq<Node>(node)) return node.items.map((item) => this.of(item, depth + 1));
    if (isMap<Node, Node | null>(node)) return this.#map(node.items, depth);
    return this.#refuse(node, "contains a value that JSON cannot represent");
  }

  #alias(node: Alias, depth: number): unknown {
    const { aliases } = this.#rules;
    if (aliases === 0) {
      this.#report(node, `the alias *${node.source} is not allowed`);
      return `*${node.source}`;
    }
    if (++this.#aliases > aliases) this.#refuse(node, `more than ${aliases} aliases`);
    const target = node.resolve(this.#document);
    if (target === undefined) return this.#refuse(node, `the alias *${node.source} has no anchor`);
    return this.of(target, depth + 1);
  }

  /** Anchor and tag come before their value, sometimes on another line. */
  #reportProperties(node: Node): void {
    const { aliases, scalars } = this.#rules;
    const start = node.range?.[0] ?? 0;
    const before = (sign: string) => Math.max(0, this.#text.lastIndexOf(sign, start));
    if (aliases === 0 && "anchor" in node && typeof node.anchor === "string")
      this.#reportAt(before(`&${node.anchor}`), `the anchor &${node.anchor} is not allowed`);
    if (scalars === "strings" && typeof node.tag === "string")
      this.#reportAt(before("!"), `the tag ${shortTag(node.tag)} is not allowed`);
  }

  #map(pairs: readonly Pair<Node, Node | null>[], depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const { key, value: node } of pairs) {
      const value = this.of(node, depth + 1);
      if (!this.#yaml.isScalar(key) || key.value === null) {
        this.#report(key, "a key that is not plain text is not allowed");
        continue;
      }
      this.#reportProperties(key);
      const name = String(key.value);
      if (isUnsafeKey(name)) this.#report(key, `the key ${JSON.stringify(name)} is not allowed`);
      else if (entries.has(name)) this.#report(key, `a second key ${JSON.stringify(name)} is not allowed`);
      else if (name === "<<" && key.type === "PLAIN" && this.#rules.scalars === "strings")
        this.#report(key, "the merge key << is not allowed");
      else entries.set(name, value);
    }
    return Object.fromEntries(entries);
  }

  #scalar(node: Node, value: unknown): unknown {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    return this.#refuse(node, "contains a value that JSON cannot represent");
  }

  #report(node: Node | null, problem: string): void {
    this.#reportAt(node?.range?.[0] ?? 0, problem);
  }

  #reportAt(at: number, problem: string): void {
    this.refused.push({ at, problem: shorten(problem, 200) });
  }

  #refuse(node: Node | null, problem: string): never {
    throw new Refusal(node?.range?.[0] ?? 0, problem);
  }
}

function shortTag(tag: string): string {
  return tag.replace(/^tag:yaml\.org,2002:/, "!!");
}
