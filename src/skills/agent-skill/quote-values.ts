import { definedFields } from "./unknown-fields.ts";

/** A block of fields in which values that YAML would misread are quoted. */
export interface QuotedBlock {
  text: string;
  /** What was quoted: the line in the block, from 1, and the field. */
  quoted: { line: number; key: string }[];
}

/** Puts plain values at the top level that contain `: ` into quotes, which is what their author meant. Lines stay where they are. */
export function quoteValues(block: string): QuotedBlock {
  const lines = block.split("\n");
  const quoted: QuotedBlock["quoted"] = [];
  for (let at = 0; at < lines.length; at++) {
    const field = /^([\w.-]+):[ \t]+(?=\S)/.exec(lines[at] ?? "");
    if (field === null) continue;
    const end = endOfValue(lines, at + 1);
    const [{ length: start }, key = ""] = field;
    const value = [lines[at]?.slice(start), ...lines.slice(at + 1, end)].join("\n").trimEnd();
    if (!isMisread(value) || lines.slice(at + 1, end).some(isField)) continue;
    const written = [...`${lines[at]?.slice(0, start)}'${value.replaceAll("'", "''")}'`.split("\n")];
    lines.splice(at, written.length, ...written);
    quoted.push({ line: at + 1, key });
  }
  return { text: lines.join("\n"), quoted };
}

/** Lines that are indented, and blank ones between them, go on with the value above. */
function endOfValue(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && /^(?:[ \t]|$)/.test(lines[end] ?? "")) end++;
  return end;
}

function isMisread(value: string): boolean {
  const uncommented = value.split("\n").map((line) => line.split(/[ \t]#/)[0] ?? ""); // a comment may say what it likes
  if (!uncommented.some((line) => /:(?:\s|$)/.test(line))) return false;
  if (/^["'|>&*!#]/.test(value)) return false; // quoted already, a block, or what YAML has signs for
  return !(value.startsWith("[") && value.endsWith("]")) && !(value.startsWith("{") && value.endsWith("}"));
}

/** A field that is indented by mistake is not part of the value above it. */
function isField(line: string): boolean {
  return definedFields.some((field) => line.trimStart().startsWith(`${field}:`));
}
