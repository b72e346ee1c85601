import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { JsonFile } from "../json-file.ts";
import type { Sidecar } from "../sidecar.ts";
import type { SkillFacts } from "../skill-facts.ts";
import type { SkillFolder } from "../skill-folder.ts";

export interface PromptToolFiles {
  /** Null where it is a prompt alone. */
  manifest: JsonFile | null;
  sidecar: Sidecar | null;
}

/** What the manifest of a prompt with tools says; null where the skill cannot be loaded. */
export async function readPromptTool(
  _folder: SkillFolder,
  _files: PromptToolFiles,
  _diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  return null;
}
