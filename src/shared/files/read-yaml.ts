import type { Json } from "../json/json.ts";
import { parseLocatedYaml } from "../json/located-yaml.ts";
import { maxNesting } from "../json/strict-json.ts";
import { type ErrorCode, UserError } from "../user-error.ts";
import { readTextFile } from "./read-text-file.ts";

const yamlFileCapBytes = 1024 * 1024;
const maxAliases = 100;

/** The content of a YAML file as plain JSON. Whatever is wrong with it becomes a UserError with this code, the file and the line. */
export async function readYamlFile(path: string, code: ErrorCode, shownPath: string = path): Promise<Json> {
  const text = readTextFile(path, { code, capBytes: yamlFileCapBytes, shownPath });
  return parseYamlText(text, code, shownPath);
}

/** The same for text that has already been read. */
export async function parseYamlText(text: string, code: ErrorCode, shownPath: string): Promise<Json> {
  const read = await parseLocatedYaml(text, { scalars: "core", depth: maxNesting, aliases: maxAliases });
  if (read.ok) return read.value as Json;
  const { line, problem, hint } = read.fault;
  throw new UserError(code, `${shownPath}, line ${line}: ${problem}`, { path: shownPath, hint });
}
