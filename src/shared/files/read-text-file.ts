import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { findJsonFault } from "../json/find-json-fault.ts";
import type { Json } from "../json/json.ts";
import { parseLocatedYaml } from "../json/located-yaml.ts";
import { maxNesting, parseStrictJson } from "../json/strict-json.ts";
import { type ErrorCode, UserError } from "../user-error.ts";

export interface TextFileRules {
  /** The code of the error when the file cannot be used. */
  code: ErrorCode;
  capBytes: number;
  /** How the error names the file, where that differs from the path. */
  shownPath?: string | undefined;
}

/** The text of a whole regular file, at most `capBytes` of it, decoded as UTF-8 without forgiving anything but a BOM. */
export function readTextFile(path: string, { code, capBytes, shownPath = path }: TextFileRules): string {
  const refuse = (message: string, cause?: unknown): never => {
    throw new UserError(code, `${shownPath} ${message}`, { path: shownPath, cause });
  };
  const bytes = readCapped(path, capBytes, refuse);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("is not UTF-8 text");
  }
}

type Refuse = (message: string, cause?: unknown) => never;

function readCapped(path: string, capBytes: number, refuse: Refuse): Uint8Array {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe without a writer must not hold us
  } catch (error) {
    return refuse(explain(error as NodeJS.ErrnoException), error);
  }
  try {
    const { size, isFile } = status(file);
    if (!isFile) return refuse("is not a regular file");
    if (size > capBytes) return refuse(`is larger than ${sizeInWords(capBytes)}`);
    const bytes = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const count = readSync(file, bytes, filled, size - filled, null);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

function status(file: number): { size: number; isFile: boolean } {
  const found = fstatSync(file);
  return { size: found.size, isFile: found.isFile() };
}

function explain(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "does not exist";
  if (error.code === "EACCES" || error.code === "EPERM") return "may not be read (permission denied)";
  return `cannot be read (${error.code ?? error.message})`;
}

function sizeInWords(bytes: number): string {
  return bytes % (1 << 20) === 0 ? `${bytes / (1 << 20)} MiB` : `${bytes} bytes`;
}

/** A file above this is refused before it is parsed. */
export const jsonFileCapBytes = 64 * 1024 * 1024;

/** The JSON of a file that a person wrote. Whatever is wrong with it becomes a UserError with this code, the file and the line. */
export function readJsonFile(path: string, code: ErrorCode, shownPath: string = path): unknown {
  return parseJsonText(readTextFile(path, { code, capBytes: jsonFileCapBytes, shownPath }), code, shownPath);
}

/** The same for text that has already been read. */
export function parseJsonText(text: string, code: ErrorCode, shownPath: string): unknown {
  const read = parseStrictJson(text);
  if (read.ok) return read.value;
  const fault = findJsonFault(text);
  const message =
    fault === null
      ? `${shownPath}: ${read.problem}`
      : `${shownPath}: invalid JSON at line ${fault.line}, column ${fault.column}: ${fault.problem}`;
  throw new UserError(code, message, { path: shownPath });
}

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
