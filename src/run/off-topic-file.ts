import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { UserError } from "../contract/user-error.ts";

const longestBytes = 4 * 1024 * 1024;
const mostRequests = 10_000;
const longestRequest = 4000;

/** Reads requests that are meant for no skill: plain text, one a line. */
export function readOffTopicFile(path: string, cwd: string): string[] {
  const lines = textOf(path, cwd)
    .split("\n")
    .map((line) => line.trim().normalize("NFC"));
  const requests = [...new Set(lines)].filter((line) => line !== "");
  if (requests.length === 0) throw problem(path, "holds no request");
  if (requests.length > mostRequests) throw problem(path, `holds more than ${mostRequests} requests`);
  const long = lines.findIndex((line) => line.length > longestRequest);
  if (long !== -1) throw problem(path, `line ${long + 1} has more than ${longestRequest} characters`);
  return requests;
}

/** Not more than fits: what was named may be a pipe without an end. */
function textOf(path: string, cwd: string): string {
  const buffer = Buffer.alloc(longestBytes + 1);
  let length = 0;
  try {
    const file = openSync(resolve(cwd, path), "r");
    try {
      for (let read = -1; read !== 0 && length <= longestBytes; length += read)
        read = readSync(file, buffer, length, buffer.length - length, null);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw problem(path, `cannot be read: ${(error as Error).message}`);
  }
  if (length > longestBytes) throw problem(path, "is larger than 4 MiB");
  return buffer.toString("utf8", 0, length).replace(/^\ufeff/, "");
}

function problem(path: string, what: string): UserError {
  return new UserError("suite-invalid", `the off-topic requests ${path}: ${what}`, {
    path,
    hint: "--off-topic takes a text file with one request a line",
  });
}
