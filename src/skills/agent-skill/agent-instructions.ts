import type { Diagnostics } from "../../contract/diagnostics.ts";
import { instructionsFile } from "../folder/instructions-file.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { readFrontmatter } from "./read-frontmatter.ts";
import type { SplitInstructions } from "./split-instructions.ts";

/** The `SKILL.md` of a folder, taken apart, also where its fields are wrong; null where it has none that an agent would read. */
export async function agentInstructions(
  folder: SkillFolder,
  { kind }: Diagnostics,
): Promise<({ file: string } & SplitInstructions) | null> {
  if (kind !== "agent-skill" && kind !== "unit") return null;
  const file = instructionsFile(folder);
  if (file === null) return null;
  const read = await readFrontmatter(folder, file);
  return read.ok ? { file, ...read } : null;
}
