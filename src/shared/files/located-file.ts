import { extname } from "node:path";
import { findJsonFault } from "../json/find-json-fault.ts";
import { parseLocatedYaml } from "../json/located-yaml.ts";
import type { TextPosition } from "../json/locations.ts";
import { positionInJson } from "../json/position-in-json.ts";
import { maxNesting, parseStrictJson } from "../json/strict-json.ts";
import { jsonFileCapBytes, parseJsonText, readTextFile, type TextFileRules } from "./read-text-file.ts";

/** Something that could not be read. */
interface FileFault extends TextPosition {
  problem: string;
  hint?: string | undefined;
}

/** What a file of data says, and where each member of it is. JSON that cannot be read is thrown as a `UserError`. */
export interface LocatedFile {
  /** A list of values for JSON lines; undefined where nothing can be read. */
  value: unknown;
  faults: readonly FileFault[];
  /** Where a member begins; null where there is none. */
  findPosition(steps: readonly PropertyKey[]): TextPosition | null;
}

/** What the names of such files end in. */
export const dataSuffixes: readonly string[] = [".json", ".yaml", ".yml", ".jsonl"];

/** Parsing YAML takes fifty times as long as parsing JSON. */
const yamlCapBytes = 8 * 1024 * 1024;
const yamlRules = { scalars: "core", depth: maxNesting, aliases: 100 } as const;

/** Reads JSON, YAML or JSON lines, by the end of the name: JSON, where that says nothing. */
export async function readLocatedFile(
  path: string,
  { code, shownPath }: Omit<TextFileRules, "capBytes">,
): Promise<LocatedFile> {
  const suffix = extname(path);
  const isYaml = suffix === ".yaml" || suffix === ".yml";
  const capBytes = isYaml ? yamlCapBytes : jsonFileCapBytes;
  const text = readTextFile(path, { code, capBytes, shownPath });
  if (isYaml) return readYaml(text);
  if (suffix === ".jsonl") return readLines(text);
  const value = parseJsonText(text, code, shownPath ?? path);
  return { value, faults: [], findPosition: (steps) => positionInJson(text, steps) };
}

const nowhere = () => null;

async function readYaml(text: string): Promise<LocatedFile> {
  const read = await parseLocatedYaml(text, yamlRules);
  if (read.ok) return { value: read.value, faults: [], findPosition: read.findPosition };
  const { faults, remains } = read;
  return { value: remains?.value, faults, findPosition: remains?.findPosition ?? nowhere };
}

/** A broken line is left out, so that the others can be checked. */
function readLines(text: string): LocatedFile {
  const lines: { text: string; line: number }[] = [];
  const values: unknown[] = [];
  const faults: FileFault[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = parseStrictJson(line);
    if (read.ok) {
      values.push(read.value);
      lines.push({ text: line, line: index + 1 });
      continue;
    }
    const { column, problem } = findJsonFault(line) ?? { column: 1, problem: read.problem };
    faults.push({ line: index + 1, column, problem: `invalid JSON: ${problem}` });
  }
  return {
    value: values.length === 0 && faults.length > 0 ? undefined : values,
    faults,
    findPosition([index, ...steps]) {
      const at = typeof index === "number" ? lines[index] : undefined;
      const found = at === undefined ? null : positionInJson(at.text, steps);
      return found === null || at === undefined ? null : { line: at.line, column: found.column };
    },
  };
}
