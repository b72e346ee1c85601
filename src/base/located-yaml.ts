import type { Document, YAMLError } from "yaml";
import { placeFinder } from "./place-finder.ts";
import { mostFaults, PlainYaml, Refusal } from "./plain-yaml.ts";
import { scanYaml } from "./scan-yaml.ts";
import { memberFinder } from "./yaml-members.ts";

export interface YamlRules {
  /** `core` reads numbers, truth values and null; with `strings` every scalar stays the text that was written, so tags and merge keys are refused. */
  scalars: "core" | "strings";
  /** How deep lists and maps may be nested. */
  depth: number;
  /** How many aliases may be written out; 0 refuses anchors too. */
  aliases: number;
}

export interface YamlFault {
  /** `syntax`: it is no YAML. `construct`: it is, and says something of which the problem says that it is not allowed. */
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

export interface YamlContent {
  /** Plain JSON. */
  value: unknown;
  /** Where a member begins: its key in a map, itself in a list; null where there is none. */
  placeOf: (steps: readonly PropertyKey[]) => TextPlace | null;
}

export type LocatedYaml =
  | ({ ok: true } & YamlContent)
  | {
      ok: false;
      /** The first of them. */
      fault: YamlFault;
      /** All that was found before reading had to end. */
      faults: readonly YamlFault[];
      /** What it says apart from the faults; null where that cannot be told. */
      remains: YamlContent | null;
    };

/** Reads YAML of a stranger as plain JSON and remembers where each member stands. */
export async function parseLocatedYaml(text: string, rules: YamlRules): Promise<LocatedYaml> {
  const yaml = await import("yaml");
  const deep = scanYaml(new yaml.Lexer(), text, {
    depth: rules.depth,
    aliases: rules.aliases === 0 ? Number.POSITIVE_INFINITY : rules.aliases, // none is followed, and each is told
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
  const find = placeFinder(text);
  const faults = faultsOf(document, rules, find);
  if (faults.some(({ kind }) => kind === "syntax")) return failed(faults);
  const reader = new PlainYaml(yaml, document, rules, text);
  try {
    const value = reader.of(document.contents, 0);
    const findMember = memberFinder(yaml, document.contents);
    const placeOf = (steps: readonly PropertyKey[]) => {
      const at = findMember(steps);
      return at === null ? null : find(at);
    };
    faults.push(...reader.refusals.map((refusal) => faultAt(find, refusal)));
    return faults.length === 0 ? { ok: true, value, placeOf } : failed(faults, { value, placeOf });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    faults.push(...[...reader.refusals, error].map((refusal) => faultAt(find, refusal)));
    return failed(faults);
  }
}

function failed(faults: YamlFault[], remains: YamlContent | null = null): LocatedYaml {
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { ok: false, fault: faults[0] as YamlFault, faults, remains };
}

function faultAt(find: PlaceFinder, { at, message }: Refusal): YamlFault {
  return { kind: "construct", ...find(at), problem: message };
}

/** What the parser itself found. One fault of syntax is the cause of the next, so the first is enough. */
function faultsOf(document: Document, { scalars }: YamlRules, find: PlaceFinder): YamlFault[] {
  const found: YAMLError[] = [...document.errors, ...document.warnings];
  const syntax = found.find(({ code }) => code !== "MULTIPLE_DOCS" && code !== "TAG_RESOLVE_FAILED");
  if (syntax !== undefined) return [{ kind: "syntax", ...find(syntax.pos[0]), problem: syntax.message }];
  return found
    .filter(({ code }) => code === "MULTIPLE_DOCS" || scalars === "core") // tags are told where values are read
    .slice(0, mostFaults)
    .map(({ code, message, pos }) => ({
      kind: "construct",
      ...find(pos[0]),
      problem: code === "MULTIPLE_DOCS" ? "a second document is not allowed" : message,
    }));
}

type PlaceFinder = ReturnType<typeof placeFinder>;

/** Line and column of a position in a text. */
export function placeAt(text: string, position: number): TextPlace {
  const before = text.slice(0, position);
  return { line: before.split("\n").length, column: position - before.lastIndexOf("\n") };
}
