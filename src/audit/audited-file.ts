import { isUtf8 } from "node:buffer";
import { auditedLines } from "./audited-lines.ts";
import { binaryFormat } from "./binary-format.ts";
import { fileKind, isTextByName } from "./file-kind.ts";
import type { AuditedFile } from "./rule.ts";

/** Text beyond this is not searched; what people and agents read is far shorter. */
export const longestText = 2 * 1024 * 1024;
/** Enough to identify a binary. */
export const headBytes = 4096;

/** A file as rules see it, from what was read of it: all of a text, the beginning of anything larger. */
export function auditedFile(
  path: string,
  content: Buffer,
  mode: number,
  bytes = content.length,
): AuditedFile {
  const head = Uint8Array.from(content.subarray(0, headBytes)); // a copy, so that the rest of a binary is let go
  const whole = bytes > longestText ? null : decodeText(content);
  const isDamaged = whole === null && bytes <= longestText && isMeantAsText(path, content, head);
  const text = isDamaged ? salvageText(content) : whole;
  const facts = { path, bytes, mode, head, isDamaged };
  if (text === null) return { ...facts, kind: "binary", language: null, text, lines: [] };
  return withText(facts, text, fileKind(path, text));
}

/** A file whose text is known. */
export function withText(
  facts: Omit<AuditedFile, "kind" | "language" | "text" | "lines">,
  text: string,
  kind: Pick<AuditedFile, "kind" | "language">,
): AuditedFile {
  return { ...facts, ...kind, text, lines: auditedLines(text, kind) };
}

/** Shells and agents skip invalid bytes; files that are text by name or first line are read the same way. */
function isMeantAsText(path: string, content: Buffer, head: Uint8Array): boolean {
  if (content.subarray(0, 2).equals(shebang)) return true;
  if (!isTextByName(path)) return false;
  const what = binaryFormat({ path, head })?.what;
  // "BM" makes no picture of a script. What can run or be unpacked is detected as that, under whatever name.
  return what !== "program" && what !== "bytecode" && what !== "archive";
}

const shebang = Buffer.from("#!");

/** Bytes as text: strict UTF-8, or UTF-16 with a byte order mark. Null for everything else. */
function decodeText(content: Buffer): string | null {
  const encoding = detectUtf16(content);
  if (encoding !== null) return decodeUtf16(content, encoding);
  // A zero byte is legal UTF-8 but not in any text that a person wrote.
  if (!isUtf8(content) || content.includes(0)) return null;
  return content.toString("utf8").replace(/^\ufeff/, "");
}

/** The text without its invalid bytes: one bad byte must not hide the rest from every rule. */
function salvageText(content: Buffer): string {
  return content.toString("utf8").replaceAll(/[\0\ufffd]/g, "");
}

function detectUtf16(content: Buffer): "utf-16le" | "utf-16be" | null {
  if (content[0] === 0xff && content[1] === 0xfe) return "utf-16le";
  return content[0] === 0xfe && content[1] === 0xff ? "utf-16be" : null;
}

function decodeUtf16(content: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return null;
  }
}
