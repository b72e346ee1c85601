import type { Diagnostics } from "../contract/diagnostics.ts";
import type { FoundFolder } from "./discover-skills.ts";
import { readSidecar } from "./sidecar.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** Tells of a folder that was named as a skill and is none, with what keeps its `meta.yml` from making it one. */
export async function tellNoSkill(
  folder: SkillFolder,
  { shown, unreadable }: Pick<FoundFolder, "shown" | "unreadable">,
  diagnostics: Diagnostics,
): Promise<void> {
  if (unreadable !== undefined) {
    const hint = "let it be read, rename it, or move it elsewhere";
    diagnostics.add("SKD06", { file: "." }, `${shown}: ${unreadable}`, { hint });
    return;
  }
  const sidecar = await readSidecar(folder);
  const { fault } = sidecar ?? { fault: null };
  const hint =
    sidecar === null
      ? undefined
      : fault !== null
        ? `meta.yml cannot be read, line ${fault.line}: ${fault.problem}`
        : sidecar.prompt === null
          ? "name the prompt in meta.yml: prompt: PROMPT.md"
          : "give meta.yml a description";
  diagnostics.add("SKD01", { file: "." }, `${shown}: no SKILL.md, skill.json or prompt file`, { hint });
}
