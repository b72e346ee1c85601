import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readFound } from "../../skills/describe-found.ts";
import { toolTarget } from "../../skills/targets/named-target.ts";
import { foldersToExamine } from "../doctor/folders-to-examine.ts";

export interface ProjectSkills {
  /** The roots of the configuration. */
  roots: readonly string[];
  cwd: string;
  /** Called with the folder that an id was resolved to. */
  note(text: string): void;
}

/** Resolves a word to the path of a skill: itself, or that of the project's skill with this id. */
export async function namedSkill(word: string, { roots, cwd, note }: ProjectSkills): Promise<string> {
  if (!isId.test(word) || existsSync(resolve(cwd, word))) return word;
  for (const found of await foldersToExamine({ paths: [], roots, cwd })) {
    if (found.unreadable !== undefined) continue;
    const { skill } = await readFound(found);
    if (skill === null || (skill.id !== word && !skill.aliases.includes(word))) continue;
    note(`${word} is ${found.shown}`);
    return found.shown;
  }
  return word;
}

/** The same for `<skill>#<tool>`. */
export async function namedTool(word: string, project: ProjectSkills): Promise<string> {
  const named = toolTarget(word, project.cwd);
  if (named === null) return namedSkill(word, project);
  return `${await namedSkill(named.skill, project)}#${named.tool}`;
}

/** A word with a slash is a path, even where nothing exists. */
const isId = /^[\w-]{2,64}$/;
