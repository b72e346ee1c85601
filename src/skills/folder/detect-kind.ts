import type { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { nearestSpelling } from "../../shared/text/nearest.ts";
import { type JsonFile, readJsonFile } from "./json-file.ts";
import { readSidecar, type Sidecar } from "./sidecar.ts";
import { inOtherLetters, instructionsFile, instructionsName, promptCandidates } from "./skill-files.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** What a folder is, by its files. */
export type Detection =
  | { kind: "unit"; manifest: JsonFile; sidecar: Sidecar | null }
  /** Without a manifest it is a prompt alone. */
  | { kind: "prompt-tool"; manifest: JsonFile | null; sidecar: Sidecar | null }
  | { kind: "agent-skill"; file: string; sidecar: Sidecar | null }
  /** A manifest that cannot be used; what is wrong with it was reported. */
  | { kind: "broken" }
  /** Where there is a sidecar, it did not make the folder a skill. */
  | { kind: "none"; sidecar: Sidecar | null };

/** Recognises a folder: the first match decides, and a broken manifest never becomes another kind. */
export async function detectKind(folder: SkillFolder, diagnostics: Diagnostics): Promise<Detection> {
  const sidecar = await readSidecar(folder);
  if (folder.names().includes(folder.manifestName)) return detectByManifest(folder, sidecar, diagnostics);
  reportLooseManifest(folder, diagnostics);
  const file = findInstructions(folder, diagnostics);
  if (file !== null) return { kind: "agent-skill", file, sidecar };
  const hasPrompt = promptCandidates(folder).length > 0 || isDescribed(sidecar);
  return hasPrompt ? { kind: "prompt-tool", manifest: null, sidecar } : { kind: "none", sidecar };
}

/** The `SKILL.md` of a folder, also in other letters, which is reported; null where there is none. */
export function findInstructions(folder: SkillFolder, diagnostics: Diagnostics): string | null {
  const file = instructionsFile(folder);
  if (file !== null && file !== instructionsName) reportLoose(file, instructionsName, diagnostics);
  return file;
}

function detectByManifest(folder: SkillFolder, sidecar: Sidecar | null, diagnostics: Diagnostics): Detection {
  const { manifestName } = folder;
  const read = readJsonFile(folder, manifestName);
  if (!read.ok) {
    const line = read.location.line === undefined ? "" : `:${read.location.line}`;
    // A manifest may have any name; one that is not called JSON is most likely another file of the skill.
    const hint = /\.json$/i.test(manifestName) ? undefined : "pass the skill folder, or its skill.json";
    diagnostics.add("SKD02", read.location, `${manifestName}${line}: ${read.problem}`, { hint });
    return { kind: "broken" };
  }
  const { json: manifest } = read;
  const fields = isMap(manifest.value) ? manifest.value : {};
  if (isPromptFormat(fields.schema_version) || isPromptFormat(fields.schemaVersion))
    return { kind: "prompt-tool", manifest, sidecar };
  if (Object.hasOwn(fields, "adapterType") || Object.hasOwn(fields, "entrypoint"))
    return { kind: "unit", manifest, sidecar };
  diagnostics.add("SKD03", manifest.locate([]), `${manifestName}: neither schema_version nor adapterType`, {
    hint: misspeltKind(Object.keys(fields)),
  });
  return { kind: "broken" };
}

function isPromptFormat(version: unknown): boolean {
  return typeof version === "string" && version.startsWith("ah32.skill.");
}

function misspeltKind(keys: readonly string[]): string | undefined {
  const meant = keys.map((key) => nearestSpelling(key, ["adapterType", "schema_version"])).find(Boolean);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

/** A `meta.yml` with something to say, beside a prompt: the one it names, or the only one that it can mean. */
function isDescribed(sidecar: Sidecar | null): boolean {
  return sidecar !== null && (sidecar.description ?? sidecar.summary) !== null && sidecar.prompt !== null;
}

/** `Skill.json` is a manifest on some systems only. */
function reportLooseManifest(folder: SkillFolder, diagnostics: Diagnostics): void {
  const loose = inOtherLetters(folder, folder.manifestName);
  if (loose !== null) reportLoose(loose, folder.manifestName, diagnostics);
}

function reportLoose(found: string, expected: string, diagnostics: Diagnostics): void {
  diagnostics.add("SKD07", { file: found }, `${found}: expected ${expected}`);
}
