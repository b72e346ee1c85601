import type { Diagnostics } from "../contract/diagnostics.ts";
import { readSidecar } from "./sidecar.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** Tells of a folder that was named as a skill and is none, with what keeps its `meta.yml` from making it one. */
export async function tellNoSkill(
  folder: SkillFolder,
  shownDir: string,
  diagnostics: Diagnostics,
): Promise<void> {
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
  diagnostics.add("SKD01", { file: "." }, `${shownDir}: no SKILL.md, skill.json or prompt file`, { hint });
}
