import type { Document, Node, Pair, YAMLError, YAMLMap } from "yaml";
import { type PositionFinder, positionFinder, type TextPosition } from "./locations.ts";
import { PlainYaml, Refusal, type Refused } from "./plain-yaml.ts";
import { scanYaml } from "./scan-yaml.ts";
import { indentedField, yamlFaultWords } from "./yaml-fault-words.ts";

export interface YamlRules {
  /** `core` reads numbers, truth values and null; with `strings` every scalar stays the text that was written, so tags and merge keys are refused. */
  scalars: "core" | "strings";
  /** How deep lists and maps may be nested. */
  depth: number;
  /** How many aliases may be written out; 0 refuses anchors too. */
  aliases: number;
}

export interface YamlFault {
  /** `syntax`: it is not YAML. `construct`: it is, but uses something that is not allowed. */
  kind: "syntax" | "construct";
  /** 1-based. */
  line: number;
  column: number;
  problem: string;
  /** What fixes it, where that is known. */
  hint?: string | undefined;
}

export interface YamlContent {
  /** Plain JSON. */
  value: unknown;
  /** Where a member begins: its key in a map, itself in a list; null where there is none. */
  findPosition: (steps: readonly PropertyKey[]) => TextPosition | null;
}

export type LocatedYaml =
  | ({ ok: true } & YamlContent)
  | {
      ok: false;
      /** The first of them. */
      fault: YamlFault;
      /** All that was found before reading had to end. */
      faults: readonly YamlFault[];
      /** The content apart from the faults; null where it cannot be read. */
      remains: YamlContent | null;
    };

/** Reads untrusted YAML as plain JSON and remembers where each member is. */
export async function parseLocatedYaml(text: string, rules: YamlRules): Promise<LocatedYaml> {
  const yaml = await import("yaml");
  const deep = scanYaml(new yaml.Lexer(), text, {
    depth: rules.depth,
    aliases: rules.aliases === 0 ? Number.POSITIVE_INFINITY : rules.aliases, // none is followed, and each is reported
  });
  if (deep !== null) return failed([{ kind: "construct", column: 1, ...deep }]);
  const document = yaml.parseDocument(text, {
    schema: rules.scalars === "core" ? "core" : "failsafe",
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false, // checked below: the parser compares every key with every other
    prettyErrors: false, // making them pretty takes minutes when there are many
    logLevel: "error",
  });
  const find = positionFinder(text);
  const faults = parserFaults(document, rules, find, text);
  if (faults.some(({ kind }) => kind === "syntax")) return failed(faults);
  const reader = new PlainYaml(yaml, document, rules, text);
  try {
    const value = reader.of(document.contents, 0);
    const findMember = memberFinder(yaml, document.contents);
    const findPosition = (steps: readonly PropertyKey[]) => {
      const at = findMember(steps);
      return at === null ? null : find(at);
    };
    for (const refused of reader.refused) faults.push(faultAt(find, refused));
    return faults.length === 0 ? { ok: true, value, findPosition } : failed(faults, { value, findPosition });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const refused of [...reader.refused, error]) faults.push(faultAt(find, refused));
    return failed(faults);
  }
}

function failed(faults: YamlFault[], remains: YamlContent | null = null): LocatedYaml {
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ok: false, fault: faults[0] as YamlFault, faults, remains };
}

function faultAt(find: PositionFinder, { at, problem }: Refused): YamlFault {
  return { kind: "construct", ...find(at), problem };
}

/** What the parser itself found. One fault of syntax is the cause of the next, so the first is enough. */
function parserFaults(
  document: Document,
  { scalars }: YamlRules,
  find: PositionFinder,
  text: string,
): YamlFault[] {
  const found: YAMLError[] = [...document.errors, ...document.warnings];
  const syntax = found.find(({ code }) => code !== "MULTIPLE_DOCS" && code !== "TAG_RESOLVE_FAILED");
  if (syntax !== undefined) return [{ kind: "syntax", ...faultWords(syntax, found, find, text) }];
  return found
    .filter(({ code }) => code === "MULTIPLE_DOCS" || scalars === "core") // tags are reported where values are read
    .map(({ code, message, pos }) => ({
      kind: "construct",
      ...find(pos[0]),
      problem: code === "MULTIPLE_DOCS" ? "a second document is not allowed" : message,
    }));
}

function faultWords(
  syntax: YAMLError,
  found: readonly YAMLError[],
  find: PositionFinder,
  text: string,
): Omit<YamlFault, "kind"> {
  const words = yamlFaultWords(syntax);
  const isOfSeveralLines = ({ code, pos }: YAMLError) =>
    code === "MULTILINE_IMPLICIT_KEY" && pos[0] === syntax.pos[0];
  const field = syntax.message.includes("compact mappings") ? found.find(isOfSeveralLines) : undefined;
  if (field === undefined) return { ...find(faultStart(syntax, text)), ...words };
  return { line: find(field.pos[1]).line, column: 1, ...indentedField };
}

/** The parser reports where it gave up; a quote that is never closed is fixed where it was opened. */
function faultStart({ message, pos: [end] }: YAMLError, text: string): number {
  const [, quote] = /^Missing closing (["'])/.exec(message) ?? [];
  const opened = quote === undefined ? -1 : text.lastIndexOf(quote, end - 1);
  return opened === -1 ? end : opened;
}

type Yaml = typeof import("yaml");
type YamlMap = YAMLMap<Node, Node | null>;

/** Where members begin. The keys of a map are indexed once, on the first lookup. */
function memberFinder(yaml: Yaml, root: Node | null): (steps: readonly PropertyKey[]) => number | null {
  const known = new Map<YamlMap, Map<string, Pair<Node, Node | null>>>();
  const pairOf = (map: YamlMap, key: string) => {
    const pairs = known.get(map) ?? pairsByKey(yaml, map);
    known.set(map, pairs);
    return pairs.get(key);
  };
  return (steps) => {
    let node = root;
    let at = root?.range?.[0] ?? 0;
    for (const step of steps) {
      if (yaml.isMap<Node, Node | null>(node)) {
        const pair = pairOf(node, String(step));
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
  };
}

/** Of a duplicate key, the first. */
function pairsByKey(yaml: Yaml, { items }: YamlMap): Map<string, Pair<Node, Node | null>> {
  const pairs = new Map<string, Pair<Node, Node | null>>();
  for (const pair of items) {
    const key = yaml.isScalar(pair.key) ? String(pair.key.value) : null;
    if (key !== null && !pairs.has(key)) pairs.set(key, pair);
  }
  return pairs;
}
