import type { Instructions } from "../../contract/skill.ts";
import type { SkillFolder } from "../skill-folder.ts";

export type PromptReading =
  | {
      ok: true;
      text: string;
      /** What of it was left out, by kind. */
      unread: Readonly<Record<string, number>>;
    }
  | { ok: false; problem: string };

/** The text of a prompt, whatever its format. */
export async function readPrompt(
  folder: SkillFolder,
  { path, format }: Instructions,
): Promise<PromptReading> {
  if (format === "docx") return readOnce(folder, path);
  const file = folder.text(path);
  return file.ok ? { ok: true, text: file.text, unread: {} } : file;
}

/** The largest .docx that is read; images make them large, not text. */
const docxCapBytes = 32 * 1024 * 1024;

const readings = new WeakMap<SkillFolder, Map<string, Promise<PromptReading>>>();

/** As with every other file of a folder: whoever asks again gets the same answer, and at once. */
function readOnce(folder: SkillFolder, path: string): Promise<PromptReading> {
  const known = readings.get(folder) ?? new Map<string, Promise<PromptReading>>();
  readings.set(folder, known);
  const reading = known.get(path) ?? readDocument(folder, path);
  known.set(path, reading);
  return reading;
}

async function readDocument(folder: SkillFolder, path: string): Promise<PromptReading> {
  const file = folder.bytes(path, docxCapBytes);
  return file.ok ? (await import("./read-docx.ts")).readDocx(file.bytes) : file;
}
