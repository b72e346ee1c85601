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
  const lines = readFileSync(path, "utf8").split("\n");
  const tail = lines.pop() ?? "";
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      problems.push(`line ${index + 1} is damaged and was left out`);
    }
  }
  if (tail !== "") problems.push(`line ${lines.length + 1} is torn off and was dropped`);
  return { values, problems };
}
