import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap, kindOfValue } from "../../shared/json/json-values.ts";
import { defaultControls, type SkillFacts } from "../folder/skill-facts.ts";
import { instructionsName } from "../folder/skill-files.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { readAllowedTools } from "./allowed-tools.ts";
import { type AgentSkillFields, readFields } from "./read-fields.ts";
import {
  clientFields,
  modelledKeys,
  readControls,
  readMetadata,
  type SkillMetadata,
} from "./read-metadata.ts";
import { readName } from "./read-name.ts";
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
    extra: extraFields(source.fields, metadata),
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

/** What the model has no member for: other fields as written, and the rest of `metadata`. */
function extraFields(fields: AgentSkillFields["fields"], { texts, nested }: SkillMetadata): JsonObject {
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

const longestDescription = 1024;
const longestCompatibility = 500;

/** The description; null where there is none. */
function readDescription(
  { file, fields, locate }: AgentSkillFields,
  diagnostics: Diagnostics,
): string | null {
  const { description = "" } = fields;
  const location = locate(["description"]);
  if (typeof description !== "string") {
    diagnostics.add("SKM06", location, `${file}: description is ${kindOfValue(description)}`);
    return null;
  }
  if (description.trim() === "") {
    diagnostics.add("SKM06", location, `${file}: description missing or blank`);
    return null;
  }
  const { length } = [...description];
  if (length > longestDescription)
    diagnostics.add("SKM07", location, `description has ${length} characters, limit ${longestDescription}`);
  return description.trim();
}

/** Judges license and compatibility, which nobody here reads further. */
function checkNotes({ fields, locate }: AgentSkillFields, diagnostics: Diagnostics): void {
  for (const name of ["license", "compatibility"]) {
    const value = fields[name];
    if (Array.isArray(value) || isMap(value))
      diagnostics.add("SKM08", locate([name]), `${name} is ${kindOfValue(value)}`, {
        hint: "write one string",
      });
  }
  const { compatibility } = fields;
  if (typeof compatibility !== "string") return;
  const length = compatibility.trim() === "" ? 0 : [...compatibility].length;
  if (length > 0 && length <= longestCompatibility) return;
  diagnostics.add(
    "SKM07",
    locate(["compatibility"]),
    `compatibility has ${length} characters, limit ${longestCompatibility}`,
    length === 0 ? { hint: "say what it needs, or remove the field" } : {},
  );
}
