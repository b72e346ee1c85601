import { isMap, kindOfValue } from "../../shared/json/json-values.ts";
import {
  type LocatedYaml,
  parseLocatedYaml,
  type YamlContent,
  type YamlFault,
  type YamlRules,
} from "../../shared/json/located-yaml.ts";
import { jsonPath, positionFinder, type TextPosition } from "../../shared/json/locations.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { quoteValues } from "./quote-values.ts";

/** The fields of a `SKILL.md`, every scalar as the text that was written. */
export interface Frontmatter {
  /** Null where they are unknown. */
  fields: Readonly<Record<string, unknown>> | null;
  /** The position of a field in the file; the beginning of the file if it is missing. */
  locate: (steps: readonly string[]) => TextPosition & { jsonPath: string };
  faults: readonly FrontmatterFault[];
}

/** What is wrong with the block as YAML. */
export interface FrontmatterFault extends TextPosition {
  /** `recovered`: what was meant is clear, and read. `discouraged`: nothing is wrong yet. */
  kind: "syntax" | "construct" | "recovered" | "discouraged";
  problem: string;
  hint?: string | undefined;
}

const longestBytes = 64 * 1024;
const maxLines = 200;
const rules: YamlRules = { scalars: "strings", depth: 8, aliases: 0 };

/** Reads the block between the `---` lines of a `SKILL.md`. Lines are those of the file. */
export async function parseFrontmatter(block: string): Promise<Frontmatter> {
  if (Buffer.byteLength(block) > longestBytes)
    return unreadable([
      construct("frontmatter of more than 64 KiB is not allowed", 1, "move detail to the body"),
    ]);
  const { text, faults } = withoutControlsIn(block);
  faults.push(...lengthFaults(block));
  const { content, faults: more } = await parse(text);
  faults.push(...more);
  if (content === null) return unreadable(faults);
  const locate = locateInFile(content);
  const { value } = content;
  if (isMap(value)) return { fields: withoutHiddenControls(value, locate, faults), locate, faults };
  if (value === "") return { fields: {}, locate, faults }; // nothing but comments
  const found = kindOfValue(value);
  return unreadable([
    ...faults,
    construct(`${found} instead of fields is not allowed`, 2, "write `key: value` on each line"),
  ]);
}

function unreadable(faults: readonly FrontmatterFault[]): Frontmatter {
  return { fields: null, locate: (steps) => ({ ...beginning, jsonPath: jsonPath(steps) }), faults };
}

const beginning = { line: 1, column: 1 };

function construct(problem: string, line: number, hint: string): FrontmatterFault {
  return { kind: "construct", line, column: 1, problem, hint };
}

function lengthFaults(block: string): FrontmatterFault[] {
  const lines = block.split("\n").length - 1;
  if (lines <= maxLines) return [];
  const problem = `frontmatter has ${lines} lines, recommended at most ${maxLines}`;
  return [{ ...beginning, kind: "discouraged", problem, hint: "move detail to the body" }];
}

function withoutControlsIn(block: string): { text: string; faults: FrontmatterFault[] } {
  const at = findControl(block);
  if (at === -1) return { text: block, faults: [] };
  const { line, column } = positionFinder(block)(at);
  return {
    text: withoutControls(block),
    faults: [controlFault(block.slice(at), { line: line + 1, column })],
  };
}

function controlFault(text: string, { line, column }: TextPosition): FrontmatterFault {
  const problem = `the control character ${visibleText(text[0] ?? "")} is not allowed`;
  return { kind: "recovered", line, column, problem, hint: "delete it" };
}

/** Control characters can be written as escapes too. A name that holds one is judged where names are. */
function withoutHiddenControls(
  fields: Record<string, unknown>,
  locate: Frontmatter["locate"],
  faults: FrontmatterFault[],
): Record<string, unknown> {
  const clean = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, key));
    if (isMap(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item, key)]));
    const at = typeof value === "string" ? findControl(value) : -1;
    if (typeof value !== "string" || at === -1) return value;
    faults.push(controlFault(value.slice(at), locate([key])));
    return withoutControls(value);
  };
  const entries = Object.entries(fields).map(([key, value]) => [
    key,
    key === "name" ? value : clean(value, key),
  ]);
  return Object.fromEntries(entries);
}

interface Parsed {
  content: YamlContent | null;
  faults: FrontmatterFault[];
}

/** Text that is not valid YAML is parsed once more, with quotes around the values that need them. */
async function parse(text: string): Promise<Parsed> {
  const written = await parseLocatedYaml(text, rules);
  if (written.ok || written.fault.kind !== "syntax") return parsed(written);
  const { text: requoted, quoted } = quoteValues(text);
  if (quoted.length === 0) return parsed(written);
  const read = await parseLocatedYaml(requoted, rules);
  if (!read.ok && read.fault.kind === "syntax") return parsed(written);
  const { content, faults } = parsed(read);
  const unquoted = quoted.map(({ line, key }): FrontmatterFault => {
    const problem = `the value of ${key} contains ": " and is not quoted`;
    return { kind: "recovered", line: line + 1, column: 1, problem };
  });
  return { content, faults: [...unquoted, ...faults] };
}

function parsed(read: LocatedYaml): Parsed {
  if (read.ok) return { content: read, faults: [] };
  return { content: read.remains, faults: read.faults.map(inFile) };
}

function inFile(fault: YamlFault): FrontmatterFault {
  const { hint = fault.kind === "syntax" ? "fix the YAML there" : hintFor(fault) } = fault;
  return { ...fault, line: fault.line + 1, hint };
}

/** Left out where the rule's own hint fits: an anchor, an alias, a tag. */
function hintFor({ problem }: YamlFault): string | undefined {
  if (problem.startsWith("a second key")) return "remove one of the two";
  if (problem.startsWith("a second document")) return "remove the lines that are not fields";
  return problem.startsWith("nesting") ? "flatten it" : undefined;
}

function locateInFile({ findPosition }: YamlContent): Frontmatter["locate"] {
  return (steps) => {
    const position = findPosition(steps);
    const at = position === null ? beginning : { line: position.line + 1, column: position.column };
    return { ...at, jsonPath: jsonPath(steps) };
  };
}

const control = /[^\P{Cc}\n\t]|\p{Cs}/u;
const controls = new RegExp(control, "gu");

/** The index of the first control character other than newline and tab, or of a lone surrogate; -1 if there is none. */
function findControl(text: string): number {
  return text.search(control);
}

/** The text without them. */
function withoutControls(text: string): string {
  return text.replace(controls, "");
}
