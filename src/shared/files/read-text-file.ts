import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
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
  const bytes = readAtMost(path, capBytes, refuse);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("is not UTF-8 text");
  }
}

type Refuse = (message: string, cause?: unknown) => never;

function readAtMost(path: string, capBytes: number, refuse: Refuse): Uint8Array {
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
