import { readDocx } from "../skills/prompt-tool/read-docx.ts";
import { longestText, withText } from "./audited-file.ts";
import { binaryFormat } from "./binary-format.ts";
import type { AuditedFile } from "./rule.ts";

/** A file, and why not all of it was scanned; null where all of it was. */
interface ScannedFile {
  file: AuditedFile;
  reason: string | null;
}

/** Whether a file is a Word document, whose text can be scanned. */
export function isDocx(file: AuditedFile): boolean {
  if (file.bytes > longestText || !file.path.toLowerCase().endsWith(".docx")) return false;
  return binaryFormat(file)?.what === "document";
}

/** A Word document with its text as prose: an agent may follow it as it follows Markdown. */
export async function readDocument(file: AuditedFile, bytes: Uint8Array): Promise<ScannedFile> {
  const reading = await readDocx(bytes);
  if (!reading.ok) return { file, reason: `its text cannot be read: ${reading.problem}` };
  const { image: _, ...unread } = reading.unread; // pictures are not scanned anywhere
  const kinds = Object.entries(unread).flatMap(([kind, count]) => (count > 0 ? [kind] : []));
  const reason = kinds.length === 0 ? null : `of a kind that is not scanned: ${kinds.join(", ")}`;
  return { file: withText(file, reading.text, { kind: "prose", language: null }), reason };
}
