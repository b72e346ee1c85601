import type { Instructions } from "../../contract/skill.ts";
import { readOnce } from "../folder/read-once.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import type { DocxReading } from "./read-docx.ts";

/** The text of a prompt, whatever its format, and what of it was left out. */
export async function readPrompt(folder: SkillFolder, { path, format }: Instructions): Promise<DocxReading> {
  if (format === "docx") return readDocument(folder, path);
  const file = folder.text(path);
  return file.ok ? { ok: true, text: file.text, unread: {} } : file;
}

/** The largest .docx that is read; images make them large, not text. */
const docxCapBytes = 32 * 1024 * 1024;

const readDocument = readOnce<DocxReading>(async (folder, path) => {
  const file = folder.bytes(path, docxCapBytes);
  return file.ok ? (await import("./read-docx.ts")).readDocx(file.bytes) : file;
});
