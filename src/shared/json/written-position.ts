import { nearestPosition, type TextPosition } from "./locations.ts";
import { positionInJson } from "./position-in-json.ts";

/** Where a member of a file begins, or what holds it: JSON exactly, YAML by its indentation, which needs no parser. */
export function writtenPosition(
  text: string,
  steps: readonly PropertyKey[],
  { isLines = false }: { isLines?: boolean } = {},
): TextPosition | null {
  if (isLines) return positionInLines(text, steps);
  if (/^\s*[{[]/.test(text)) {
    try {
      return nearestPosition((at) => positionInJson(text, at), steps);
    } catch {
      // YAML may begin like JSON
    }
  }
  return positionByIndent(text.split("\n"), steps);
}

/** In JSON lines, the items of `$.tasks` follow the line of everything else. */
function positionInLines(text: string, steps: readonly PropertyKey[]): TextPosition | null {
  const lines = [...text.split("\n").entries()].filter(([, line]) => line.trim() !== "");
  const [first, second, ...below] = steps;
  const isBare = typeof first === "number";
  const isItem = first === "tasks" && typeof second === "number";
  const found = lines[isBare ? first : isItem ? second + 1 : 0];
  if (found === undefined) return null;
  const [index, line] = found;
  const inLine = isBare ? steps.slice(1) : isItem ? below : steps;
  const position = nearestPosition((at) => positionInJson(line, at), inLine);
  return position === null ? null : { line: index + 1, column: position.column };
}

/** A block of lines: from one on, as far as they are indented at least that much. */
interface Block {
  line: number;
  indent: number;
}

function positionByIndent(lines: readonly string[], steps: readonly PropertyKey[]): TextPosition | null {
  let found: TextPosition | null = null;
  let block: Block | null = { line: 0, indent: 0 };
  for (const step of steps) {
    const items = itemsOf(lines, block);
    const next = typeof step === "number" ? items[step] : items.find(({ text }) => isKey(text, String(step)));
    if (next === undefined) return found;
    // A list within a list, and a value on the line of its key, are only pointed at.
    if (typeof step === "number" && !/^- ?/.test(next.text)) return found;
    found = { line: next.line + 1, column: next.column + 1 };
    block = typeof step === "number" ? insideItem(next) : insideKey(lines, next);
    if (block === null) return found;
  }
  return found;
}

interface Item {
  line: number;
  column: number;
  text: string;
}

/** The lines at which the members of a block begin: those with its smallest indentation, until one with less. */
function itemsOf(lines: readonly string[], block: Block): Item[] {
  const items: Item[] = [];
  let own: number | null = null;
  for (let line = block.line; line < lines.length; line++) {
    // The first line of an item of a list begins with its dash, which is not a part of it.
    const text =
      line === block.line ? " ".repeat(block.indent) + (lines[line] ?? "").slice(block.indent) : lines[line];
    const column = text?.search(/\S/) ?? -1;
    if (text === undefined || column === -1 || text[column] === "#" || /^(?:---|%)/.test(text)) continue;
    if (column < block.indent) break;
    own ??= column;
    if (column === own) items.push({ line, column, text: text.slice(column) });
  }
  return items;
}

function isKey(text: string, key: string): boolean {
  return [key, JSON.stringify(key), `'${key}'`].some((word) => text.startsWith(`${word}:`));
}

function insideItem({ line, column, text }: Item): Block {
  return { line, indent: column + (/^-\s*/.exec(text)?.[0].length ?? 0) };
}

/** What a key holds is on the lines below it; the items of a list may be indented no more than their key. */
function insideKey(lines: readonly string[], { line, column }: Item): Block | null {
  const next = lines.slice(line + 1).find((text) => /^\s*[^\s#]/.test(text));
  const indent = next?.search(/\S/) ?? -1;
  if (indent > column) return { line: line + 1, indent };
  return indent === column && /^\s*- /.test(next ?? "") ? { line: line + 1, indent } : null;
}
