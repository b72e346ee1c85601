import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { Json } from "../../shared/json/json.ts";
import { shownLines, shownText } from "../../shared/text/visible-text.ts";
import type { CheckResult, Fault } from "./dimension.ts";

/** Whether the final text is that of a file of the case. */
export function checkEqualFile(
  expectedFiles: FilesOfCase,
  name: string,
  text: string,
  at: readonly AgentEvent[],
): CheckResult {
  const check = { name: `equals ${name}`, isRequired: true, exercised: true };
  const wanted = fileOfCase(expectedFiles, name);
  if (wanted === null) return { ...check, unseen: `${name} of the case cannot be read`, faults: [] };
  const isSame = isSameContent(wanted, Buffer.from(text));
  const message = `the text differs from ${shownText(name)}`;
  return { ...check, unseen: null, faults: isSame ? [] : [fault(at, message, name, shownLines(text, 200))] };
}

export function fault(at: readonly AgentEvent[], message: string, expected: Json, actual: Json): Fault {
  return { code: "OutputFile", message, expected, actual, at };
}

/** Absolute paths of the files of a case, by the words that name them. */
type FilesOfCase = Readonly<Record<string, string>>;

export function fileOfCase(files: FilesOfCase, name: string): Buffer | null {
  const path = Object.hasOwn(files, name) ? files[name] : undefined;
  try {
    return path === undefined ? null : readFileSync(path);
  } catch {
    return null;
  }
}

/** Exact bytes; lines of texts may end either way. */
export function isSameContent(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  return isText(one) && isText(other) && withoutReturns(one) === withoutReturns(other);
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function withoutReturns(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\r\n", "\n");
}
