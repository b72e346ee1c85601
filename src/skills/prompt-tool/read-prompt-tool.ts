import { join } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import { promptToolVersion } from "../../contract/prompt-tool-manifest.ts";
import { countValues } from "../../shared/text/count-values.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import type { Sidecar } from "../folder/sidecar.ts";
import type { SkillFacts } from "../folder/skill-facts.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { checkAgreement } from "./check-agreement.ts";
import { checkManifest } from "./check-manifest.ts";
import { checkParameters } from "./check-parameters.ts";
import { findPrompt } from "./find-prompt.ts";
import { manifestFacts } from "./manifest-facts.ts";
import { withoutOldSpellings } from "./old-spellings.ts";
import { readPromptAlone } from "./read-prompt-alone.ts";

export interface PromptToolFiles {
  /** Null where it is a prompt alone. */
  manifest: JsonFile | null;
  sidecar: Sidecar | null;
}

/** What the files of a prompt with tools say; null where the skill cannot be loaded. */
export async function readPromptTool(
  folder: SkillFolder,
  files: PromptToolFiles,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  const facts = await readFacts(folder, files, diagnostics);
  return diagnostics.hasErrors() ? null : facts;
}

/** The same, also where something else is an error; null where the manifest itself cannot be understood. */
export async function readFacts(
  folder: SkillFolder,
  { manifest, sidecar }: PromptToolFiles,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  if (manifest === null) return readPromptAlone(folder, sidecar, diagnostics);
  if (countValues(manifest.value, maxValues) > maxValues) {
    diagnostics.add("AHM02", manifest.placeOf([]), `$: contains more than ${maxValues} values`, {
      hint: "shorten it",
    });
    return null;
  }
  const value = withoutOldSpellings(manifest, diagnostics);
  const { schema_version: version, entry, tools } = value;
  if (version !== promptToolVersion) {
    const place = manifest.placeOf(["schema_version"]);
    diagnostics.add(
      "AHM01",
      place,
      `schema_version "${shownText(typeof version === "string" ? version : (JSON.stringify(version) ?? ""))}" is not supported`,
    );
    return null; // another version has other rules
  }
  const checked = checkManifest(value, manifest, diagnostics);
  await checkParameters(tools, manifest, diagnostics);
  const instructions = findPrompt(folder, { entry, manifest, sidecar }, diagnostics);
  checkAgreement(value, folder, manifest, diagnostics);
  if (checked === null) return null;
  return manifestFacts(checked, value, join(folder.dir, manifest.file), instructions);
}

/** Far more than anybody writes; a problem with each of them would take minutes to tell. */
const maxValues = 20_000;
