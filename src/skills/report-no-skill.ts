import { join } from "node:path";
import type { Diagnostics } from "../contract/diagnostics.ts";
import type { FoundFolder } from "./discover/discover-skills.ts";
import { hiddenRootsIn } from "./discover/hidden-roots.ts";
import { instructionsName } from "./folder/instructions-file.ts";
import { readSidecar, type Sidecar } from "./folder/sidecar.ts";
import type { SkillFolder } from "./folder/skill-folder.ts";

/** Reports a folder that was named as a skill and is none, with what keeps it from being one. */
export async function reportNoSkill(
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
  const hint = sidecar === null ? (strangeFileIn(folder) ?? hiddenIn(folder, shown)) : lackOf(sidecar);
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

function lackOf({ fault, prompt }: Sidecar): string {
  if (fault !== null) return `meta.yml cannot be read, line ${fault.line}: ${fault.problem}`;
  return prompt === null ? "set the prompt in meta.yml: prompt: PROMPT.md" : "add a description to meta.yml";
}
