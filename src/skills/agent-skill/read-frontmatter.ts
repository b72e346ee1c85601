import type { FileProblem, SkillFolder } from "../skill-folder.ts";
import { type Frontmatter, parseFrontmatter } from "./parse-frontmatter.ts";
import { type SplitInstructions, splitInstructions } from "./split-instructions.ts";

/** A `SKILL.md` that was taken apart and parsed, or why that cannot be done. */
export type InstructionsReading =
  | ({ ok: true } & SplitInstructions & { frontmatter: Frontmatter })
  | { ok: false; problem: FileProblem | "no beginning" | "late beginning" | "no end" };

const known = new WeakMap<SkillFolder, Map<string, Promise<InstructionsReading>>>();

/** Reads a `SKILL.md`, of one folder once: its fields are asked for when it is described, judged and shown. */
export function readFrontmatter(folder: SkillFolder, file: string): Promise<InstructionsReading> {
  const files = known.get(folder) ?? new Map<string, Promise<InstructionsReading>>();
  known.set(folder, files);
  const reading = files.get(file) ?? read(folder, file);
  files.set(file, reading);
  return reading;
}

async function read(folder: SkillFolder, file: string): Promise<InstructionsReading> {
  const found = folder.text(file);
  if (!found.ok) return found;
  const split = splitInstructions(found.text);
  if (split === null) return { ok: false, problem: lackOf(found.text) };
  return { ok: true, ...split, frontmatter: await parseFrontmatter(split.block) };
}

function lackOf(text: string): "no beginning" | "late beginning" | "no end" | "not UTF-8" {
  if (/^---\r?\n/.test(text)) return "no end";
  if (text.startsWith("\0")) return "not UTF-8"; // two bytes a letter, without a mark that says so
  return /^\s*---[ \t]*\r?\n/.test(text) ? "late beginning" : "no beginning";
}
