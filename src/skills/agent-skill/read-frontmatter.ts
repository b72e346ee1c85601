import type { Diagnostics } from "../../contract/diagnostics.ts";
import { instructionsFile } from "../folder/skill-files.ts";
import { type FileProblem, readOnce, type SkillFolder } from "../folder/skill-folder.ts";
import { type Frontmatter, parseFrontmatter } from "./parse-frontmatter.ts";

/** A `SKILL.md` that was taken apart and parsed, or why that cannot be done. */
export type InstructionsReading =
  | ({ ok: true } & SplitInstructions & { frontmatter: Frontmatter })
  | { ok: false; problem: FileProblem | "no beginning" | "late beginning" | "no end" };

/** Reads a `SKILL.md` once, since its fields are needed when it is described, checked and shown. */
export const readFrontmatter = readOnce<InstructionsReading>(async (folder, file) => {
  const found = folder.text(file);
  if (!found.ok) return found;
  const split = splitInstructions(found.text);
  if (split === null) return { ok: false, problem: findProblem(found.text) };
  return { ok: true, ...split, frontmatter: await parseFrontmatter(split.block) };
});

function findProblem(text: string): "no beginning" | "late beginning" | "no end" | "not UTF-8" {
  if (/^---\r?\n/.test(text)) return "no end";
  if (text.startsWith("\0")) return "not UTF-8"; // UTF-16 without a byte order mark
  return /^\s*---[ \t]*\r?\n/.test(text) ? "late beginning" : "no beginning";
}

/** A `SKILL.md`, taken apart. */
interface SplitInstructions {
  /** The lines between the first two that are exactly `---`, each with its end, which is `\n`. They begin on line 2. */
  block: string;
  /** What follows. */
  body: string;
  /** The line of the file on which the body begins. */
  bodyLine: number;
  /** Where the lines of the block lie in the text. */
  from: number;
  to: number;
}

/** Takes the text of a `SKILL.md` apart; null where it does not begin with a block between `---` lines. */
export function splitInstructions(text: string): SplitInstructions | null {
  const from = /^---\r?\n/.exec(text)?.[0].length;
  if (from === undefined) return null;
  const closing = /\n---\r?(?:\n|$)/g;
  closing.lastIndex = from - 1; // the two `---` lines may be adjacent
  const end = closing.exec(text);
  if (end === null) return null;
  const to = end.index + 1;
  const block = text.slice(from, to).replaceAll("\r\n", "\n");
  return { block, body: text.slice(closing.lastIndex), bodyLine: block.split("\n").length + 2, from, to };
}

/** The `SKILL.md` of a folder, taken apart, also where its fields are wrong; null where it has none that an agent would read. */
export async function agentInstructions(
  folder: SkillFolder,
  { kind }: Diagnostics,
): Promise<({ file: string } & SplitInstructions) | null> {
  if (kind !== "agent-skill" && kind !== "unit") return null;
  const file = instructionsFile(folder);
  if (file === null) return null;
  const read = await readFrontmatter(folder, file);
  return read.ok ? { file, ...read } : null;
}
