import { extname } from "node:path";
import { parseJsonText, readTextFile } from "../../shared/files/read-text-file.ts";
import { parseLocatedYaml } from "../../shared/json/located-yaml.ts";
import { jsonPath, nearestPosition, type TextPosition } from "../../shared/json/locations.ts";
import { positionInJson } from "../../shared/json/position-in-json.ts";
import { maxNesting } from "../../shared/json/strict-json.ts";
import { type ErrorCode, UserError } from "../../shared/user-error.ts";

/** A file with cases that was read. */
export interface CaseDocument {
  /** Absolute. */
  file: string;
  /** As the user would name it. */
  shown: string;
  value: unknown;
  /** Where a member begins; null where there is none. */
  findPosition(steps: readonly PropertyKey[]): TextPosition | null;
}

/** How a file with cases may end. */
export const caseSuffixes: readonly string[] = [".json", ".yaml", ".yml"];

const capBytes = 8 * 1024 * 1024;
const yamlRules = { scalars: "core", depth: maxNesting, aliases: 100 } as const;

/** Reads a file with cases, JSON or YAML by its name. */
export async function readCaseDocument(file: string, shown: string, code: ErrorCode): Promise<CaseDocument> {
  const text = readTextFile(file, { code, capBytes, shownPath: shown });
  if (extname(file) === ".json") {
    const value = parseJsonText(text, code, shown);
    return { file, shown, value, findPosition: (steps) => positionInJson(text, steps) };
  }
  const read = await parseLocatedYaml(text, yamlRules);
  if (read.ok) return { file, shown, value: read.value, findPosition: read.findPosition };
  const { line, problem, hint } = read.fault;
  throw new UserError(code, `${shown}, line ${line}: ${problem}`, { path: shown, hint });
}

export interface FaultWords {
  code?: ErrorCode | undefined;
  hint?: string | undefined;
}

/** A fault in a document, as an error with file, line and JSON path. */
export function faultIn(
  document: CaseDocument,
  steps: readonly PropertyKey[],
  problem: string,
  { code = "case-invalid", hint }: FaultWords = {},
): UserError {
  const { shown, findPosition } = document;
  const line = nearestPosition(findPosition, steps)?.line;
  const path = jsonPath(steps);
  const where = line === undefined ? shown : `${shown}, line ${line}`;
  return new UserError(code, `${where}: ${path} ${problem}`, { path: shown, jsonPath: path, hint });
}
