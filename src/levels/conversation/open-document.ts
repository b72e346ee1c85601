import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { OpenDocument } from "../../contract/tool-host.ts";
import { readTextFile } from "../../shared/files/read-text-file.ts";
import { UserError } from "../../shared/user-error.ts";
import { readDocx } from "../../skills/prompt-tool/read-docx.ts";

/** A document that is open in a conversation: its text, path and name. */
export interface NamedDocument extends OpenDocument {
  name: string;
}

const textCapBytes = 10 * 1024 * 1024;

/** Reads the document of a case. An unreadable one is a user error. */
export async function openDocument(path: string): Promise<NamedDocument> {
  const text = extname(path).toLowerCase() === ".docx" ? await docxText(path) : plainText(path);
  return { name: basename(path), text, path };
}

function plainText(path: string): string {
  return readTextFile(path, { code: "case-invalid", capBytes: textCapBytes, shownPath: path });
}

async function docxText(path: string): Promise<string> {
  const read = await readDocx(await readFile(path));
  if (read.ok) return read.text;
  throw new UserError("case-invalid", `${basename(path)} cannot be read: ${read.problem}`, { path });
}
