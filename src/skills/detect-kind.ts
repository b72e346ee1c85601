import { isMap } from "../base/is-map.ts";
import type { Diagnostics } from "../contract/diagnostics.ts";
import { type JsonFile, readJsonFile } from "./json-file.ts";
import { promptCandidates } from "./prompt-tool/prompt-candidates.ts";
import { readSidecar, type Sidecar } from "./sidecar.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** What a folder is, told by its files. */
export type Detection =
  | { kind: "unit"; manifest: JsonFile; sidecar: Sidecar | null }
  /** Without a manifest it is a prompt alone. */
  | { kind: "prompt-tool"; manifest: JsonFile | null; sidecar: Sidecar | null }
  | { kind: "agent-skill"; file: string; sidecar: Sidecar | null }
  /** A manifest that cannot be used; what is wrong with it was told. */
  | { kind: "broken" }
  | { kind: "none" };

export const manifestName = "skill.json";
export const instructionsName = "SKILL.md";

/** Recognises a folder: the first match decides, and a broken manifest never becomes another kind. */
export async function detectKind(folder: SkillFolder, diagnostics: Diagnostics): Promise<Detection> {
  const sidecar = await readSidecar(folder);
  if (folder.names().includes(manifestName)) return detectByManifest(folder, sidecar, diagnostics);
  const file = folder.has(instructionsName) ? instructionsName : looseInstructions(folder, diagnostics);
  if (file !== null) return { kind: "agent-skill", file, sidecar };
  const hasPrompt = promptCandidates(folder).length > 0 || sidecar?.prompt != null;
  return hasPrompt ? { kind: "prompt-tool", manifest: null, sidecar } : { kind: "none" };
}

function detectByManifest(folder: SkillFolder, sidecar: Sidecar | null, diagnostics: Diagnostics): Detection {
  const read = readJsonFile(folder, manifestName);
  if (!read.ok) {
    const line = read.place.line === undefined ? "" : `:${read.place.line}`;
    diagnostics.add("SKD02", read.place, `${manifestName}${line}: ${read.problem}`);
    return { kind: "broken" };
  }
  const { json: manifest } = read;
  const { value } = manifest;
  const version = isMap(value) ? (value.schema_version ?? value.schemaVersion) : undefined;
  if (typeof version === "string" && version.startsWith("ah32.skill."))
    return { kind: "prompt-tool", manifest, sidecar };
  if (isMap(value) && ("adapterType" in value || "entrypoint" in value))
    return { kind: "unit", manifest, sidecar };
  diagnostics.add("SKD03", manifest.placeOf([]), `${manifestName}: neither schema_version nor adapterType`);
  return { kind: "broken" };
}

/** `skill.md`, which is accepted in the lenient profile. */
function looseInstructions(folder: SkillFolder, diagnostics: Diagnostics): string | null {
  const found = folder.names().find((name) => name.toLowerCase() === "skill.md" && folder.has(name));
  if (found === undefined) return null;
  diagnostics.add("SKD07", { file: found }, `${found}: expected ${instructionsName}`);
  return found;
}
