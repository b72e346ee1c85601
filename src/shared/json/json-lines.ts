import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";

export interface JsonLines {
  values: unknown[];
  /** What could not be read, by line. */
  problems: string[];
}

/** Reads a log of JSON lines after any crash: a torn tail is dropped, damage inside is named, and the rest is there. */
export function readJsonLines(path: string): JsonLines {
  const values: unknown[] = [];
  const problems: string[] = [];
  for (const line of jsonLinesIn(readFileSync(path))) {
    if (line.problem === null) values.push(line.value);
    else problems.push(line.problem);
  }
  return { values, problems };
}

/** The lines of such a log, one at a time: a value, or what is wrong with it. */
export function* jsonLinesIn(
  bytes: Buffer,
): Generator<{ value: unknown; problem: null } | { problem: string }> {
  let start = 0;
  let lineNumber = 1;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    const line = readLine(bytes.subarray(start, end));
    if (line === "damaged") yield { problem: `line ${lineNumber} is damaged and was skipped` };
    else if (line !== "empty") yield { value: line.value, problem: null };
    start = end + 1;
    lineNumber++;
  }
  if (start < bytes.length) yield { problem: `line ${lineNumber} is incomplete and was dropped` };
}

const newline = 0x0a;

/** Decoded strictly: a byte that changed inside a string would otherwise pass as a replacement character. */
function readLine(bytes: Buffer): { value: unknown } | "damaged" | "empty" {
  if (!isUtf8(bytes)) return "damaged";
  const text = bytes.toString("utf8");
  if (text.trim() === "") return "empty";
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "damaged";
  }
}
