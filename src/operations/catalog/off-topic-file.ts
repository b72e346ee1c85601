import { resolve } from "node:path";
import { readTextFile } from "../../shared/files/read-text-file.ts";
import { UserError } from "../../shared/user-error.ts";

const longestBytes = 4 * 1024 * 1024;
const maxRequests = 10_000;
const longestRequest = 4000;

/** Reads requests that are meant for no skill: plain text, one a line. */
export function readOffTopicFile(path: string, cwd: string): string[] {
  const rules = { code: "suite-invalid", capBytes: longestBytes, shownPath: path } as const;
  const lines = readTextFile(resolve(cwd, path), rules)
    .split("\n")
    .map((line) => line.trim().normalize("NFC"));
  const requests = [...new Set(lines)].filter((line) => line !== "");
  if (requests.length === 0) throw problem(path, "contains no requests");
  if (requests.length > maxRequests) throw problem(path, `contains more than ${maxRequests} requests`);
  const long = lines.findIndex((line) => line.length > longestRequest);
  if (long !== -1) throw problem(path, `line ${long + 1} has more than ${longestRequest} characters`);
  return requests;
}

function problem(path: string, what: string): UserError {
  return new UserError("suite-invalid", `off-topic file ${path}: ${what}`, {
    path,
    hint: "--off-topic takes a text file with one request per line",
  });
}
