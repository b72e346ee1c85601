import { auditedLines } from "./audited-lines.ts";
import { decodeText } from "./decode-text.ts";
import { fileKind } from "./file-kind.ts";
import type { AuditedFile } from "./rule.ts";

/** Text beyond this is not searched; what people and agents read is far shorter. */
export const longestText = 2 * 1024 * 1024;
/** Enough to tell what a binary is. */
export const headBytes = 4096;

/** A file as rules see it, from what was read of it: all of a text, the beginning of anything larger. */
export function auditedFile(
  path: string,
  content: Buffer,
  mode: number,
  bytes = content.length,
): AuditedFile {
  const text = bytes > longestText ? null : decodeText(content);
  const head = Uint8Array.from(content.subarray(0, headBytes)); // a copy, so that the rest of a binary is let go
  if (text === null) return { path, kind: "binary", language: null, bytes, text, mode, head, lines: [] };
  const kind = fileKind(path, text);
  return { path, ...kind, bytes, text, mode, head, lines: auditedLines(text, kind) };
}
