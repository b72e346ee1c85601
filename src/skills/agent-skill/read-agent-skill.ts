import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { instructionsName } from "../folder/instructions-file.ts";
import { defaultControls, type SkillFacts } from "../folder/skill-facts.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { readAllowedTools } from "./allowed-tools.ts";
import { clientFields, modelledKeys, readControls } from "./client-fields.ts";
import { type AgentSkillFields, readFields } from "./read-fields.ts";
import { readMetadata, type SkillMetadata } from "./read-metadata.ts";
import { readName } from "./read-name.ts";
import { checkNotes, readDescription } from "./read-texts.ts";
import { reportUnknownFields } from "./unknown-fields.ts";

/** What the frontmatter of a `SKILL.md` says; null where the skill cannot be loaded. */
export async function readAgentSkill(
  folder: SkillFolder,
  file: string,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  const errors = errorsIn(diagnostics);
  const source = await readFields(folder, file, diagnostics);
  if (source === null) return null;
  const name = readName(source, folder.name, diagnostics);
  const description = readDescription(source, diagnostics);
  checkNotes(source, diagnostics);
  const metadata = readMetadata(source, diagnostics);
  const controls = readControls(metadata, diagnostics);
  const allowedTools = readAllowedTools(source, diagnostics);
  reportUnknownFields(source, diagnostics);
  if (name === null || description === null || errorsIn(diagnostics) > errors) return null;
  if (diagnostics.isStrict && file !== instructionsName) return null;
  return {
    id: name,
    aliases: [],
    name,
    version: metadata.texts.get("version") || null,
    description,
    tags: listIn(metadata, "tags"),
    intents: [],
    triggers: listIn(metadata, "triggers"),
    notFor: listIn(metadata, "not_for"),
    examples: [],
    manifest: null,
    instructions: { path: file, format: "md" },
    tools: [],
    adapter: null,
    controls: { ...defaultControls, ...controls, allowedTools },
    output: null,
    extra: extraOf(source.fields, metadata),
  };
}

function errorsIn(diagnostics: Diagnostics): number {
  return diagnostics.list().filter(({ severity }) => severity === "error").length;
}

function listIn({ texts }: SkillMetadata, key: string): string[] {
  const parts = (texts.get(key) ?? "").split(";").map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

const modelledFields = new Set(["name", "description", "metadata", "allowed-tools"]);

/** What the model has no place for: other fields as they are, and the rest of `metadata`. */
function extraOf(fields: AgentSkillFields["fields"], { texts, nested }: SkillMetadata): JsonObject {
  const others = Object.entries(fields).filter(
    ([key, value]) => !modelledFields.has(key) && !isClientField(key, value),
  );
  const metadata = [...texts].filter(([key]) => !modelledKeys.has(key));
  const extra: Record<string, unknown> = Object.fromEntries(others);
  const rest = { ...Object.fromEntries(metadata), ...nested };
  if (Object.keys(rest).length > 0) extra.metadata = rest;
  return extra as JsonObject;
}

/** Read as metadata, unless it is a map, which nobody here can read. */
function isClientField(key: string, value: unknown): boolean {
  return clientFields.has(key) && (typeof value === "string" || Array.isArray(value));
}
