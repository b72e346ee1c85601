import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import { readOutputSchema } from "../../contract/output-contract.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { readJsonFile } from "../../skills/folder/json-file.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { promptToolFacts } from "./prompt-tool-facts.ts";

/** Says in one line that a prompt with tools cannot be used, and why. It comes last, after whatever can be an error. */
export function examineManifest(
  _skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): void {
  reportBrokenManifest(folder, diagnostics);
}

/** The same for errors found after the examination, such as a duplicate id: names only what was not named yet. */
export function reportBrokenManifest(folder: SkillFolder, diagnostics: Diagnostics): void {
  if (diagnostics.kind !== "prompt-tool") return;
  const found = diagnostics.list();
  const named = found.flatMap(({ code, message }) => (code === "PTS01" ? message.split(/[ ,]+/) : []));
  const codes = found
    .filter(
      ({ code, severity }) => severity === "error" && /^(?:AHM|SKD)/.test(code) && !named.includes(code),
    )
    .map(({ code }) => code);
  if (codes.length === 0) return;
  const { manifestName } = folder;
  const file = folder.names().includes(manifestName) ? manifestName : ".";
  diagnostics.add("PTS01", { file }, `manifest: ${[...new Set(codes)].sort().join(", ")}`);
}

/** Whether what a manifest promises of the output can be checked. */
export async function examineOutput(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  const output = (await promptToolFacts(skill, folder, diagnostics))?.output;
  if (output == null) return;
  const manifest = readJsonFile(folder, folder.manifestName);
  const locate = manifest.ok ? manifest.json.locate : () => ({ file: folder.manifestName });
  const { markers = [], output_schema } = output;
  const { name, prose } = readOutputSchema(output_schema);
  if (name !== null && !isFound(name, folder))
    diagnostics.add(
      "PTS10",
      locate(["output", "output_schema"]),
      `output_schema "${shownText(name)}" not found`,
      { hint: `add schemas/${name}.schema.json` },
    );
  if (markers.length === 0 && name === null && prose === null)
    diagnostics.add("PTS10", locate(["output"]), "output: no markers, schema or prose declared", {
      hint: "list what every output must contain in markers",
    });
}

function isFound(name: string, folder: SkillFolder): boolean {
  const file = `schemas/${name}.schema.json`;
  return folder.has(file) || existsSync(join(packageFolder(), file));
}
