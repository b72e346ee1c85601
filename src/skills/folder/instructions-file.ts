import { inOtherLetters } from "./in-other-letters.ts";
import type { SkillFolder } from "./skill-folder.ts";

export const instructionsName = "SKILL.md";

/** The `SKILL.md` of a folder, also in other letters; null where there is none. */
export function instructionsFile(folder: SkillFolder): string | null {
  // A link that leads out, or to nothing, is one that cannot be read: its reader reports it.
  const isListed = folder.names().includes(instructionsName);
  if (isListed && folder.problemWith(instructionsName) !== "not a regular file") return instructionsName;
  return inOtherLetters(folder, instructionsName);
}

/** Whether a file is the `SKILL.md`, also in other letters. */
export function isInstructions(file: string): boolean {
  return file.toLowerCase() === instructionsName.toLowerCase();
}
