import { readOnce } from "../folder/read-once.ts";
import type { FileProblem } from "../folder/skill-folder.ts";
import { type Frontmatter, parseFrontmatter } from "./parse-frontmatter.ts";
import { type SplitInstructions, splitInstructions } from "./split-instructions.ts";

/** A `SKILL.md` that was taken apart and parsed, or why that cannot be done. */
export type InstructionsReading =
  | ({ ok: true } & SplitInstructions & { frontmatter: Frontmatter })
  | { ok: false; problem: FileProblem | "no beginning" | "late beginning" | "no end" };

/** Reads a `SKILL.md`, whose fields are asked for when it is described, judged and shown. */
export const readFrontmatter = readOnce<InstructionsReading>(async (folder, file) => {
  const found = folder.text(file);
  if (!found.ok) return found;
  const split = splitInstructions(found.text);
  if (split === null) return { ok: false, problem: lackOf(found.text) };
  return { ok: true, ...split, frontmatter: await parseFrontmatter(split.block) };
});

function lackOf(text: string): "no beginning" | "late beginning" | "no end" | "not UTF-8" {
  if (/^---\r?\n/.test(text)) return "no end";
  if (text.startsWith("\0")) return "not UTF-8"; // two bytes a letter, without a mark that says so
  return /^\s*---[ \t]*\r?\n/.test(text) ? "late beginning" : "no beginning";
}
