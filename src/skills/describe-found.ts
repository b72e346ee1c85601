import { join } from "node:path";
import { Diagnostics } from "../contract/diagnostics.ts";
import type { Diagnostic, Profile } from "../contract/findings.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import type { SkillKind } from "../contract/skill-facts.ts";
import { describeSkill } from "./describe-skill.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { hiddenRootsIn } from "./discover/skill-roots.ts";
import { readSidecar, type Sidecar } from "./folder/sidecar.ts";
import { instructionsName } from "./folder/skill-files.ts";
import { SkillFolder } from "./folder/skill-folder.ts";

/** A folder that was found, and what its files say. */
export interface DescribedFolder {
  found: FoundFolder;
  folder: SkillFolder;
  /** Whether it was meant as a skill, whatever is wrong with it. */
  isSkill: boolean;
  /** Null where it cannot be loaded. */
  skill: DescribedSkill | null;
  /** Later checks add to them. */
  diagnostics: Diagnostics;
}

/** Reads a folder that was found; one that is not a skill is reported. */
export async function describeFound(found: FoundFolder, profile: Profile): Promise<DescribedFolder> {
  const folder = new SkillFolder(found.dir, found.manifestFile);
  const diagnostics = new Diagnostics(profile, folder.name);
  const skill = await describeSkill(folder, found.source, diagnostics);
  // A folder of no kind is not a skill; a manifest of no kind is reported already.
  const isSkill = diagnostics.kind !== null || diagnostics.hasErrors();
  if (!isSkill) await reportNoSkill(folder, found, diagnostics);
  return { found, folder, isSkill, skill, diagnostics };
}

/** The kinds a folder can be used as, even if it cannot be loaded; empty if its kind is unknown. */
export function usableKinds({
  skill,
  diagnostics: { kind },
}: Pick<DescribedFolder, "skill" | "diagnostics">): readonly SkillKind[] {
  return skill?.kinds ?? (kind === null ? [] : [kind]);
}

/** Reports a folder that was named as a skill but is not one, with what is missing. */
async function reportNoSkill(
  folder: SkillFolder,
  { shown, unreadable }: Pick<FoundFolder, "shown" | "unreadable">,
  diagnostics: Diagnostics,
): Promise<void> {
  if (unreadable !== undefined) {
    const hint = "make it readable, rename it, or move it elsewhere";
    diagnostics.add("SKD06", { file: "." }, `${shown}: ${unreadable}`, { hint });
    return;
  }
  const sidecar = await readSidecar(folder);
  const hint =
    sidecar === null ? (strangeFileIn(folder) ?? hiddenIn(folder, shown)) : sidecarProblem(sidecar);
  diagnostics.add("SKD01", { file: "." }, `${shown}: no SKILL.md, skill.json or prompt file`, { hint });
}

/** A pipe or a folder of the right name is not what was meant. */
function strangeFileIn(folder: SkillFolder): string | undefined {
  const strange = folder
    .names()
    .find(
      (name) =>
        [instructionsName, "meta.yml"].includes(name) && folder.problemWith(name) === "not a regular file",
    );
  return strange === undefined ? undefined : `${strange} is not a regular file`;
}

function hiddenIn({ dir }: SkillFolder, shown: string): string | undefined {
  const [hidden] = hiddenRootsIn(dir);
  return hidden === undefined
    ? undefined
    : `folders that start with a dot are skipped: pass ${join(shown, hidden)}`;
}

function sidecarProblem({ fault, prompt }: Sidecar): string {
  if (fault !== null) return `meta.yml cannot be read, line ${fault.line}: ${fault.problem}`;
  return prompt === null ? "set the prompt in meta.yml: prompt: PROMPT.md" : "add a description to meta.yml";
}

/** A folder that was found and read as a run reads it. */
export interface ReadFolder extends Pick<DescribedFolder, "found" | "folder" | "skill"> {
  errors: Diagnostic[];
  warnings: Diagnostic[];
}

/** Reads a folder as runs do: what can be loaded is loaded, and what is wrong is reported. */
export async function readFound(found: FoundFolder): Promise<ReadFolder> {
  const { folder, skill, diagnostics } = await describeFound(found, "lenient");
  const findings = diagnostics.list();
  return {
    found,
    folder,
    skill,
    errors: findings.filter(({ severity }) => severity === "error"),
    warnings: findings.filter(({ severity }) => severity === "warning"),
  };
}
