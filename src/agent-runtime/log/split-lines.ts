import { isUtf8 } from "node:buffer";

/**
 * The lines of a log, without their ends. A last line that is no whole JSON object is torn: whoever wrote it did not come to its
 * end. One that is whole counts, also where an editor took its newline. Bytes that are no UTF-8 make a line empty, which no
 * reader takes.
 */
export function splitLines(bytes: Uint8Array): { lines: string[]; torn: boolean } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isClean = isUtf8(buffer);
  const lines = isClean ? buffer.toString().split("\n") : strictLines(buffer);
  const last = lines.pop() ?? "";
  if (last !== "") lines.push(last);
  const end = lines.at(-1);
  if (end === undefined || isWhole(end)) return { lines, torn: false };
  lines.pop();
  return { lines, torn: true };
}

function strictLines(buffer: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= buffer.length; ) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline === -1 ? buffer.length : newline;
    const line = buffer.subarray(start, end);
    lines.push(isUtf8(line) ? line.toString() : "");
    start = end + 1;
  }
  return lines;
}

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}
