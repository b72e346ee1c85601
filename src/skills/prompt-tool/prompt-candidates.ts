import type { SkillFolder } from "../skill-folder.ts";

const names = ["SYSTEM", "prompt", "SKILL"];
const suffixes = [".md", ".txt", ".docx"];

/** The files that would be the prompt where nobody named one, the first first. */
export function promptCandidates(folder: SkillFolder): string[] {
  return suffixes
    .flatMap((suffix) => names.map((name) => `${name}${suffix}`))
    .filter((file) => folder.has(file));
}
