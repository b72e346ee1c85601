import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { AdapterType } from "../../contract/skill-facts.ts";
import {
  type AdapterConfig,
  HttpConfig,
  McpConfig,
  ModuleConfig,
  SubprocessConfig,
} from "../../contract/unit-skill.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { knownKeys } from "../../shared/json/known-keys.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { zodProblems } from "../../shared/json/zod-problem.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { type JsonFile, readJsonFile } from "../folder/json-file.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import { maxReported, reportUnknownKeys, tooManyMembers, tooManyMembersMessage } from "./check-members.ts";
import { secretsIn } from "./secrets-in.ts";

export const adapterConfigName = "adapter.config.json";

const schemas = {
  http: HttpConfig,
  subprocess: SubprocessConfig,
  mcp: McpConfig,
  langchain: ModuleConfig,
  custom: ModuleConfig,
};

export interface AdapterConfigFile {
  config: AdapterConfig;
  /** Null where there is no file and the defaults hold. */
  file: JsonFile | null;
}

/** The settings of an adapter with their defaults; null where something about them is an error. */
export function readAdapterConfig(
  folder: SkillFolder,
  type: AdapterType,
  diagnostics: Diagnostics,
): AdapterConfigFile | null {
  const schema = schemas[type];
  if (!folder.names().includes(adapterConfigName)) return { config: schema.parse({ type }), file: null };
  const read = readJsonFile(folder, adapterConfigName);
  if (!read.ok) {
    diagnostics.add("SKU07", { ...read.location, jsonPath: "$" }, `$: ${read.problem}`, {
      hint: "fix the file, or remove it to use the defaults",
    });
    return null;
  }
  const { json: file } = read;
  const long = tooManyMembers(file.value);
  if (long !== null) {
    diagnostics.add("SKU07", file.locate(long), `${jsonPath(long)}: ${tooManyMembersMessage}`, {
      hint: "shorten it",
    });
    return null;
  }
  const config = checked(file, type, diagnostics);
  const isSafe = reportSecrets(file, diagnostics);
  if (config === null || !isSafe) return null;
  warnIdleSettings(config, file, diagnostics);
  return { config, file };
}

function checked(file: JsonFile, type: AdapterType, diagnostics: Diagnostics): AdapterConfig | null {
  const refuse = (steps: readonly PropertyKey[], reason: string, hint = "fix it") =>
    diagnostics.add("SKU07", file.locate(steps), shorten(`${jsonPath(steps)}: ${reason}`, 300), { hint });
  const written = isMap(file.value) ? file.value.type : undefined;
  if (written !== type) {
    // What else it says is meant for another adapter, or for none.
    const found =
      written === undefined ? "is required and missing" : `is ${shorten(JSON.stringify(written), 40)}`;
    refuse(["type"], `${found}, but adapterType is "${type}"`, `write "type": "${type}"`);
    return null;
  }
  const schema = schemas[type];
  const misspelt = reportUnknownKeys(file, knownKeys(schema), diagnostics);
  const read = schema.safeParse(file.value);
  if (read.success) return misspelt.length === 0 ? read.data : null;
  const problems = zodProblems(read.error, file.value).filter(
    ({ jsonPath: path }) => !misspelt.includes(path),
  );
  for (const { steps, reason } of diagnostics.takeFirst(problems, maxReported)) refuse(steps, reason);
  return null;
}

function reportSecrets(file: JsonFile, diagnostics: Diagnostics): boolean {
  let isSafe = true;
  for (const { steps, what } of diagnostics.takeFirst(secretsIn(file.value), maxReported)) {
    isSafe = false;
    diagnostics.add("SKU07", file.locate(steps), `${jsonPath(steps)}: ${what} is hard-coded in the file`, {
      hint: `revoke it, and ${steps[0] === "env" ? "name an environment variable in envKeys" : "name an environment variable in authTokenEnvKey"}`,
    });
  }
  return isSafe;
}

/** Warns of settings that have no effect in this combination. */
function warnIdleSettings(config: AdapterConfig, file: JsonFile, diagnostics: Diagnostics): void {
  const warn = (key: string, reason: string, hint: string) =>
    diagnostics.add("SKU07", file.locate([key]), `$.${key}: ${reason}`, { severity: "warning", hint });
  if ("args" in config && config.args.length > 0 && config.command === undefined)
    warn("args", "is ignored without command", "add command, or remove args");
  if ("authType" in config && config.authType === "none" && config.authTokenEnvKey !== undefined)
    warn("authTokenEnvKey", "is ignored while authType is none", 'write authType "bearer" or "api-key"');
}
