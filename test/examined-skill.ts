import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Diagnostics } from "../src/contract/diagnostics.ts";
import type { Diagnostic, Profile } from "../src/contract/findings.ts";
import type { DescribedSkill } from "../src/contract/skill.ts";
import { examineSkill } from "../src/lint/examine-skill.ts";
import { describeSkill } from "../src/skills/describe-skill.ts";
import { SkillFolder } from "../src/skills/folder/skill-folder.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface ExaminedSkill {
  skill: DescribedSkill | null;
  diagnostics: Diagnostic[];
  /** `CODE message`, in order. */
  lines: string[];
  /** How many more were found. */
  unlisted: number;
}

export interface ExamineOptions {
  profile?: Profile;
  /** The name of the folder. */
  folder?: string;
}

/** Writes the files of a skill to a folder of its own, and returns the findings of reading and examining it. */
export async function examined(
  files: Readonly<Record<string, string | Uint8Array>>,
  { profile = "strict", folder: name = "my-skill" }: ExamineOptions = {},
): Promise<ExaminedSkill> {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, name);
  mkdirSync(dir);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const folder = new SkillFolder(dir);
  const diagnostics = new Diagnostics(profile, folder.name);
  const skill = await describeSkill(folder, "project", diagnostics);
  await examineSkill(skill, folder, diagnostics);
  const found = diagnostics.list();
  const lines = found.map(({ code, message }) => `${code} ${message}`);
  return { skill, diagnostics: found, lines, unlisted: diagnostics.unlisted };
}
