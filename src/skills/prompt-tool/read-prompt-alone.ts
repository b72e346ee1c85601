import type { Diagnostics } from "../../contract/diagnostics.ts";
import { PromptToolManifest } from "../../contract/prompt-tool-manifest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { Sidecar } from "../folder/sidecar.ts";
import { defaultControls, type SkillFacts } from "../folder/skill-facts.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { findPrompt } from "./find-prompt.ts";

/** A folder with a prompt and no manifest: its name is the id, and what `meta.yml` says of it is added by the caller. */
export function readPromptAlone(
  folder: SkillFolder,
  sidecar: Sidecar | null,
  diagnostics: Diagnostics,
): SkillFacts {
  const { name } = folder;
  const checked = PromptToolManifest.shape.meta.shape.id.safeParse(name);
  if (!checked.success)
    diagnostics.add(
      "AHM03",
      { file: "." },
      `meta.id "${shownText(name)}": the folder name is the id: ${checked.error.issues[0]?.message}`,
      // Good enough to try its triggers, which is all that a run does with it.
      {
        severity: diagnostics.isStrict ? "error" : "warning",
        hint: "rename the folder, or add a skill.json with a meta.id",
      },
    );
  return {
    id: name,
    aliases: [],
    name,
    version: "0.0.0",
    description: "",
    tags: [],
    intents: [],
    triggers: [],
    notFor: [],
    examples: [],
    manifest: null,
    instructions: findPrompt(folder, { entry: undefined, manifest: null, sidecar }, diagnostics),
    tools: [],
    adapter: null,
    controls: defaultControls,
    output: null,
    extra: {},
  };
}
