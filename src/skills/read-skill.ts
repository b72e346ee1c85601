import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isPlainSchema } from "../base/plain-schema.ts";
import type { DocumentReader } from "../contract/document.ts";
import type { JsonSchema } from "../contract/json.ts";
import {
  type AdapterConfig,
  HttpConfig,
  McpConfig,
  ModuleConfig,
  SkillManifest,
  SubprocessConfig,
  type UnitSkill,
} from "../contract/unit-skill.ts";
import { UserError } from "../contract/user-error.ts";

/** What the files that describe a skill say, checked; the others are not looked at. */
export async function readSkill(
  manifest: string,
  readDocument: DocumentReader,
  warnings: string[],
): Promise<Omit<UnitSkill, "digest">> {
  const dir = dirname(manifest);
  const read = readManifest(manifest, readDocument);
  warnings.push(...read.warnings);
  const { adapterType, entrypoint, ...facts } = read.value;
  await checkSchema(facts.inputSchema, "$.inputSchema", manifest);
  await checkSchema(facts.outputSchema, "$.outputSchema", manifest);
  const config = readAdapterConfig(dir, adapterType, readDocument, warnings);
  return { ...facts, dir, manifest, adapter: { type: adapterType, entrypoint, config } };
}

/** A manifest may have any name; one that cannot be read and is not called JSON is most likely a file of the skill. */
function readManifest(path: string, readDocument: DocumentReader) {
  try {
    return readDocument(path, SkillManifest, "skill-invalid");
  } catch (error) {
    if (!(error instanceof UserError) || error.hint !== null || /\.json$/i.test(path)) throw error;
    throw new UserError(error.code, error.message, {
      path,
      jsonPath: error.jsonPath ?? undefined,
      hint: "name the folder of the skill, or its skill.json",
    });
  }
}

const configSchemas = {
  http: HttpConfig,
  subprocess: SubprocessConfig,
  mcp: McpConfig,
  langchain: ModuleConfig,
  custom: ModuleConfig,
};

function readAdapterConfig(
  dir: string,
  type: UnitSkill["adapter"]["type"],
  readDocument: DocumentReader,
  warnings: string[],
): AdapterConfig {
  const path = join(dir, "adapter.config.json");
  const schema = configSchemas[type];
  if (!existsSync(path)) return schema.parse({ type });
  const read = readDocument<typeof schema>(path, schema, "adapter-invalid");
  if (read.value.type !== type) {
    throw new UserError("adapter-invalid", `${path}: type is ${read.value.type}, adapterType ${type}`, {
      path,
      jsonPath: "$.type",
    });
  }
  warnings.push(...read.warnings, ...idleSettings(read.value).map((what) => `${path}: ${what}`));
  return read.value;
}

/** Settings that were meant to do something and, as they stand, do nothing. */
function idleSettings(config: AdapterConfig): string[] {
  const idle: string[] = [];
  if ("args" in config && config.args.length > 0 && config.command === undefined)
    idle.push("args without command is ignored");
  if ("authType" in config && config.authType === "none" && config.authTokenEnvKey !== undefined)
    idle.push("authTokenEnvKey is ignored: authType is none");
  return idle;
}

async function checkSchema(schema: JsonSchema, jsonPath: string, path: string): Promise<void> {
  if (schema === null || Array.isArray(schema) || !["object", "boolean"].includes(typeof schema)) {
    throw new UserError("skill-invalid", `${path}: ${jsonPath} is no JSON Schema: it must be a map`, {
      path,
      jsonPath,
    });
  }
  if (isPlainSchema(schema)) return;
  const { compileSchema } = await import("../base/json-schema.ts");
  const compiled = compileSchema(schema);
  if (compiled.ok) return;
  throw new UserError("skill-invalid", `${path}: ${jsonPath} is no JSON Schema: ${compiled.problem}`, {
    path,
    jsonPath,
  });
}
