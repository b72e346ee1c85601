import { Diagnostics } from "../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { detectKind } from "../../skills/folder/detect-kind.ts";
import type { SkillFacts } from "../../skills/folder/skill-facts.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { readFacts } from "../../skills/prompt-tool/read-prompt-tool.ts";

/**
 * What there is to examine of a prompt with tools, also where an error keeps it from being loaded: one mistake does not
 * hide the next. Null where it is of another kind, or its manifest cannot be understood.
 */
export async function promptToolFacts(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  { kind }: Diagnostics,
): Promise<SkillFacts | null> {
  if (kind !== "prompt-tool" || skill !== null) return kind === "prompt-tool" ? skill : null;
  const ignored = new Diagnostics("lenient", folder.name); // already reported when the skill was described
  const detection = await detectKind(folder, ignored);
  return detection.kind === "prompt-tool" ? readFacts(folder, detection, ignored) : null;
}
