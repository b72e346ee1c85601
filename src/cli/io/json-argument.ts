import { resolve } from "node:path";
import { parseJsonText, readTextFile } from "../../shared/files/read-text-file.ts";
import { findJsonFault } from "../../shared/json/find-json-fault.ts";
import type { Json } from "../../shared/json/json.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo } from "./command-io.ts";

/** As much as a task of a benchmark may hold. */
const capBytes = 10 * 1_048_576;

/** JSON as it was typed. */
export function typedJson(text: string, flag: string): Json {
  const read = parseStrictJson(text);
  if (read.ok) return read.value as Json;
  const fault = findJsonFault(text);
  const position = fault === null ? "" : ` at ${fault.line}:${fault.column}`;
  const problem = (fault?.problem ?? read.problem)
    .replace("the end of the file", "its end")
    .replace("the file", "it");
  throw new UserError("usage", `${flag} is not JSON${position}: ${problem}`, {
    hint: /^\s*[[{]/.test(text)
      ? `quote the JSON for your shell: ${flag} '{"name":"value"}'`
      : `write an object or a quoted string: ${flag} '{"name":"value"}', ${flag} '"hello"'`,
  });
}

/** JSON as it was typed, or from the file after `@`. */
export function jsonOrFile(text: string, flag: string, cwd: string): Json {
  if (!text.startsWith("@")) return typedJson(text, flag);
  const path = text.slice(1);
  if (path === "") throw new UserError("usage", `${flag} needs a file name after @`);
  const content = readTextFile(resolve(cwd, path), { code: "usage", capBytes, shownPath: path });
  return parseJsonText(content, "usage", path) as Json;
}

/** The same, and `-` for what is piped in. */
export async function jsonFileOrPipe(text: string, flag: string, { cwd, stdin }: CommandIo): Promise<Json> {
  return text === "-" ? typedJson(await readPipe(stdin?.() ?? [], flag), flag) : jsonOrFile(text, flag, cwd);
}

async function readPipe(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  flag: string,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > capBytes) throw new UserError("usage", `${flag} - is larger than 10 MiB`);
    chunks.push(piece);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UserError("usage", `${flag} - is not UTF-8 text`);
  }
}
