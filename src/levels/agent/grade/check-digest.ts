import { readFileSync } from "node:fs";
import type { CaseCheck } from "../../../contract/agent-case.ts";
import { canonicalJson, sha256 } from "../../../shared/json/canonical-json.ts";

/** What tells a check from another one: its words, and the files of the case that it names. */
export function checkDigest(check: CaseCheck, files: Readonly<Record<string, string>>): string {
  const words = check.module === undefined ? (check.run ?? []) : [check.module];
  const hashes = words.flatMap((word) => {
    const path = Object.hasOwn(files, word) ? files[word] : undefined;
    return path === undefined ? [] : [hashOf(path)];
  });
  return sha256(canonicalJson([check, hashes]));
}

function hashOf(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}
