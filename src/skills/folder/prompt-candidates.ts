import type { SkillFolder } from "./skill-folder.ts";

const names = ["SYSTEM", "prompt", "SKILL"];
const suffixes = [".md", ".txt", ".docx"];

/** The names under which a prompt is found where nobody named one, the first first. */
export const promptNames: readonly string[] = suffixes.flatMap((suffix) =>
  names.map((name) => `${name}${suffix}`),
);

/** The files that would be the prompt where nobody named one, the first first. */
export function promptCandidates(folder: SkillFolder): string[] {
  return promptNames.filter((file) => folder.has(file));
}
