import { basename, dirname } from "node:path";
import * as z from "zod";
import type { DocumentReader } from "../contract/document.ts";
import type { ListedSkill } from "../contract/found-skill.ts";
import { UserError } from "../contract/user-error.ts";
import { readFrontmatter } from "./inspect/frontmatter.ts";
import { readSkill } from "./read-skill.ts";

/** What the manifest of a skill says about it. The manifest decides the kind; a broken one is an error of that kind. */
export async function readListedSkill(
  path: string,
  readDocument: DocumentReader,
  warnings: string[],
): Promise<ListedSkill> {
  if (basename(path) === "SKILL.md") return agentSkill(path);
  const { value } = readDocument(path, AnyManifest, "skill-invalid");
  const format = value.schema_version ?? value.schemaVersion;
  if (typeof format === "string" && format.startsWith("ah32.skill.")) {
    if (format !== "ah32.skill.v1")
      throw new UserError("skill-invalid", `${path}: ${format} is not supported; ah32.skill.v1 is`, {
        path,
        jsonPath: "$.schema_version",
      });
    return promptTool(path, readDocument);
  }
  const { id, name, version, adapter, tags, description } = await readSkill(path, readDocument, warnings);
  return { id, name, version, kind: "unit", adapterType: adapter.type, tags, description, path };
}

const AnyManifest = z.looseObject({
  schema_version: z.unknown().optional(),
  schemaVersion: z.unknown().optional(),
});

const PromptToolManifest = z.looseObject({
  meta: z.looseObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9\-_]{1,63}$/, "2 to 64 of a-z, 0-9, - and _ are needed"),
    name: z.string().min(1).max(64),
    version: z.string().default("0.0.0"),
    description: z.string().default(""),
  }),
  routing: z.looseObject({ tags: z.union([z.array(z.string()), z.string()]).default([]) }).prefault({}),
});

function promptTool(path: string, readDocument: DocumentReader): ListedSkill {
  const { meta, routing } = readDocument(path, PromptToolManifest, "skill-invalid").value;
  const tags = typeof routing.tags === "string" ? split(routing.tags, /[,;]/) : routing.tags;
  const { id, name, version, description } = meta;
  return { id, name, version, kind: "prompt-tool", adapterType: null, tags, description, path };
}

async function agentSkill(path: string): Promise<ListedSkill> {
  const fields = await readFrontmatter(dirname(path));
  const refuse = (problem: string) => new UserError("skill-invalid", `${path}: ${problem}`, { path });
  if (typeof fields === "string") throw refuse(fields);
  const { name, description } = fields;
  if (!isFilled(name)) throw refuse("name missing");
  if (!isFilled(description)) throw refuse("description missing");
  const metadata = (fields.metadata ?? {}) as Record<string, unknown>;
  const version = isFilled(metadata.version) ? metadata.version : null;
  const tags = isFilled(metadata.tags) ? split(metadata.tags, ";") : [];
  return { id: name, name, version, kind: "agent-skill", adapterType: null, tags, description, path };
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function split(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
