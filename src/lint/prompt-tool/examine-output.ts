import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import { isSchemaName } from "../../contract/output-contract.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { readJsonFile } from "../../skills/folder/json-file.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { promptToolFacts } from "./prompt-tool-facts.ts";

/** Whether what a manifest promises of the output can be checked. */
export async function examineOutput(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  const output = (await promptToolFacts(skill, folder, diagnostics))?.output;
  if (output == null) return;
  const manifest = readJsonFile(folder, folder.manifestName);
  const placeOf = manifest.ok ? manifest.json.placeOf : () => ({ file: folder.manifestName });
  const { markers, output_schema: schema } = output;
  if (schema !== undefined && !isFound(schema, folder))
    diagnostics.add(
      "PTS10",
      placeOf(["output", "output_schema"]),
      `output_schema "${shownText(schema)}" not found`,
      {
        hint: isSchemaName(schema)
          ? `add schemas/${schema}.schema.json`
          : "give its name without folder and suffix",
      },
    );
  if (markers === undefined || markers.length === 0)
    diagnostics.add("PTS10", placeOf(["output"]), "output: no markers declared", {
      hint: "list what every output must contain in markers",
    });
}

function isFound(name: string, folder: SkillFolder): boolean {
  const file = `schemas/${name}.schema.json`;
  return isSchemaName(name) && (folder.has(file) || existsSync(join(packageFolder(), file)));
}
