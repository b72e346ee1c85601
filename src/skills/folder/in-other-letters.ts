import type { SkillFolder } from "./skill-folder.ts";

/** A file that has a name but for its case, which is the same one on some systems and another on others; null where there is none. */
export function inOtherLetters(folder: SkillFolder, wanted: string): string | null {
  const alike = (name: string) => name.toLowerCase() === wanted.toLowerCase() && folder.has(name);
  return folder.names().find(alike) ?? null;
}
