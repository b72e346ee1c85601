import type { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill } from "../contract/skill.ts";
import { examineLinks } from "../skills/agent-skill/examine-links.ts";
import { examineFiles } from "../skills/examine-files.ts";
import type { SkillFolder } from "../skills/folder/skill-folder.ts";
import { examineDescription } from "./examine-description.ts";
import { examineInstructions } from "./examine-instructions.ts";
import { examineManifest } from "./prompt-tool/examine-manifest.ts";
import { examineOutput } from "./prompt-tool/examine-output.ts";
import { examinePrompt } from "./prompt-tool/examine-prompt.ts";
import { examineTools } from "./prompt-tool/examine-tools.ts";

/** Looks at what describing a skill leaves alone: its body, links, files, prompt, tools and their scripts. Runs nothing. */
export async function examineSkill(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  for (const examine of examinations) await examine(skill, folder, diagnostics);
}

/** One thing to look at; null where the folder is a skill that cannot be loaded. */
type Examination = (
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
) => void | Promise<void>;

const examinations: readonly Examination[] = [
  examineDescription,
  examineInstructions,
  examineLinks,
  examineFiles,
  examinePrompt,
  examineOutput,
  examineTools,
  examineManifest, // the last: it names the errors that were found before it
];
