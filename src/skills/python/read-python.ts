import { isUtf8 } from "node:buffer";
import { positionFinder } from "../../shared/json/locations.ts";
import { findChances } from "./find-chances.ts";
import { findPythonFault, type PythonFault } from "./find-python-fault.ts";
import { findSwallowedErrors } from "./find-swallowed-errors.ts";
import { parsePython, plainLines } from "./parse-python.ts";
import type { PythonCallable, PythonModule } from "./python-module.ts";
import { readCallables } from "./read-callables.ts";
import { readImports } from "./read-imports.ts";

/** The result of reading a Python file. */
export type PythonReading =
  | { state: "read"; module: PythonModule }
  /** No Python can import it. */
  | { state: "faulty"; fault: PythonFault }
  /** It is too long, or too much of it would have to be guessed. */
  | { state: "unread" };

/** Reads a Python file without running any of it. */
export async function readPython(text: string, maxLength = maxRecoveredLength): Promise<PythonReading> {
  if (text.length > longestSource) return { state: "unread" };
  const source = plainLines(text);
  const fault = findPythonFault(source);
  if (fault !== null) return { state: "faulty", fault };
  const parsed = await parsePython(source, Math.min(maxLength, maxRecoveredLength));
  if (parsed === null) return { state: "unread" };
  const locate = positionFinder(source);
  const { callables, mayHaveOtherNames } = readCallables(parsed, locate);
  if (!parsed.isWhole) addOverlooked(source, callables);
  const { imports, importsByMadeUpName } = readImports(parsed, locate);
  const swallows = findSwallowedErrors(parsed, locate);
  const chances = findChances(parsed, imports, locate);
  const { isWhole } = parsed;
  const facts = { callables, mayHaveOtherNames, imports, importsByMadeUpName, swallows, chances, isWhole };
  return { state: "read", module: { ...facts, mentions: mentionsIn(source) } };
}

const longestSource = 1024 * 1024;
const maxRecoveredLength = 64 * 1024;

/** Looks words up without searching the text for each. */
function mentionsIn(source: string): PythonModule["mentions"] {
  let words: ReadonlySet<string> | null = null;
  return (word) => {
    words ??= new Set([...source.split(/[^\p{L}\p{N}_]+/u), ...source.split(/[\s"'`/\\()[\]{},:=]+/)]);
    return words.has(word);
  };
}

/** Where the grammar failed, a function that is plainly in the text must not be reported as missing. */
function addOverlooked(source: string, callables: Map<string, PythonCallable>): void {
  for (const [index, line] of source.split("\n").entries()) {
    const name = /^(?:async[ \t]+)?def[ \t]+(\w+)/.exec(line)?.[1];
    if (name !== undefined && !callables.has(name))
      callables.set(name, { line: index + 1, parameters: null, passesKeywordsOn: true });
  }
}

/** The text of a Python file, in the encoding that it names; null where it names none and is not UTF-8. */
export function decodePython(bytes: Uint8Array): string | null {
  if (isUtf8(bytes)) return new TextDecoder("utf-8").decode(bytes);
  const name = namedEncoding(bytes);
  if (name === null) return null;
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    // One that only Python knows. What is looked for is written in ASCII, which nearly all of them share.
    return new TextDecoder("latin1").decode(bytes);
  }
}

const longestHead = 1000;

/** What a comment in the first two lines says, such as `# -*- coding: gbk -*-`. */
function namedEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, longestHead)).toString("latin1");
  const [first = "", second = ""] = head.split(/\r\n?|\n/, 2);
  for (const line of [first, second]) {
    const name = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1];
    if (name !== undefined) return name;
    if (!/^[ \t\f]*(?:#|$)/.test(line)) return null;
  }
  return null;
}
