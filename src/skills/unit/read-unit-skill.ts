import { join } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import { SkillManifest } from "../../contract/unit-skill.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import type { JsonFile } from "../folder/json-file.ts";
import { defaultControls, type SkillFacts } from "../folder/skill-facts.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { checkEntrypoint } from "./check-entrypoint.ts";
import { checkManifest, checkSchemas } from "./check-manifest.ts";
import { readAdapterConfig } from "./read-adapter-config.ts";

/**
 * What the `skill.json` of a skill that is called says; null where the skill cannot be loaded. A lenient reader takes a skill
 * whose entrypoint is not found: it can be listed and its files looked at, only not called.
 */
export async function readUnitSkill(
  folder: SkillFolder,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  nameSkill(manifest, diagnostics);
  const fields = checkManifest(manifest, diagnostics);
  const isSchemaFine = await checkSchemas(manifest, diagnostics);
  const type = fields?.adapterType ?? knownType(manifest);
  const settings = type === null ? null : readAdapterConfig(folder, type, diagnostics);
  if (fields === null || settings === null) return null;
  const isFound = checkEntrypoint(folder, manifest, fields, settings, diagnostics);
  if (!isSchemaFine || (!isFound && diagnostics.isStrict)) return null;
  const { id, name, version, description, tags, metadata } = fields;
  return {
    id,
    aliases: [],
    name,
    version,
    description,
    tags,
    intents: [],
    triggers: metadata.triggers ?? [],
    notFor: metadata.not_for ?? [],
    examples: [],
    manifest: join(folder.dir, manifest.file),
    instructions: null,
    tools: [],
    adapter: {
      type: fields.adapterType,
      entrypoint: fields.entrypoint,
      config: settings.config,
      inputSchema: fields.inputSchema,
      outputSchema: fields.outputSchema,
      ...(fields.sandbox !== undefined && { sandbox: fields.sandbox }),
      metadata,
    },
    controls: defaultControls,
    output: null,
    extra: unread(manifest),
  };
}

/** Findings name the skill by its id, also where it cannot be loaded. */
function nameSkill({ value }: JsonFile, diagnostics: Diagnostics): void {
  const read = SkillManifest.shape.id.safeParse((value as { id?: unknown }).id);
  if (read.success) diagnostics.skill = read.data;
}

/** The adapter of a manifest that is wrong in other ways, so that the files beside it can be checked too. */
function knownType({ value }: JsonFile): SkillManifest["adapterType"] | null {
  const read = SkillManifest.shape.adapterType.safeParse((value as { adapterType?: unknown }).adapterType);
  return read.success ? read.data : null;
}

/** Keys that are legal at the top level and not read here. */
function unread({ value }: JsonFile): JsonObject {
  const entries = isMap(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter(([key]) => !Object.hasOwn(SkillManifest.shape, key)),
  ) as JsonObject;
}
