import { join } from "node:path";
import { realPath } from "../../shared/files/paths.ts";
import type { SkillFolder } from "./skill-folder.ts";
import { leftOutNames } from "./walk-folder.ts";

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

/** A file that has a name but for its case, which is the same one on some systems and another on others; null where there is none. */
export function inOtherLetters(folder: SkillFolder, wanted: string): string | null {
  const alike = (name: string) => name.toLowerCase() === wanted.toLowerCase() && folder.has(name);
  return folder.names().find(alike) ?? null;
}

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

/** A skill with more files does not load, which is reported elsewhere. */
const maxScripts = 10_000;

/** The files below `scripts/`, in code-unit order; helpers in folders of it included, each folder once however links lead to it. */
export function skillScripts(folder: SkillFolder): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const waiting = ["scripts"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const real = realPath(join(folder.dir, path));
    if (seen.has(real)) continue;
    seen.add(real);
    for (const name of folder.names(path)) {
      if (leftOutNames.has(name)) continue;
      const file = `${path}/${name}`;
      if (folder.problemWith(file) === null) found.push(file);
      else waiting.push(file);
      if (found.length + waiting.length > maxScripts) return found.sort();
    }
  }
  return found.sort();
}
