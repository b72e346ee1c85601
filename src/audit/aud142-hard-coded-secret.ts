import { credentialsIn, isPlaceholder } from "../skills/secrets/credentials.ts";
import { excerptAt, isDependency, isTestMaterial, lineCounter } from "./file-locations.ts";
import type { AuditedFile, AuditRule, Match } from "./rule.ts";

/** Tokens and keys written into files. */
export const hardCodedSecret: AuditRule = {
  id: "AUD142",
  name: "hard-coded-secret",
  severity: "high",
  message: "a secret is hard-coded in a file",
  help: "Revoke it, and read it from an environment variable instead.",
  *find({ files }) {
    for (const file of files) {
      if (file.text === null || isDependency(file.path)) continue;
      yield* knownShapes(file, file.text);
      yield* assignments(file);
    }
  },
};

function* knownShapes({ path }: AuditedFile, text: string): Generator<Match> {
  const found = [...credentialsIn(text)].sort((a, b) => a.index - b.index);
  const lineNumberAt = lineCounter(text);
  for (const { name, index, secret } of found) {
    const isKey = name === "a private key";
    // Every program that looks for keys contains the header line.
    if (
      isKey
        ? !keyBody.test(text.slice(index + secret.length, index + secret.length + 200))
        : isPlaceholder(secret)
    )
      continue;
    const start = text.lastIndexOf("\n", index) + 1;
    const before = text.slice(Math.max(start, index - 60), index);
    yield {
      file: path,
      line: lineNumberAt(index + 1),
      evidence: `${before}${isKey ? secret : masked(secret)}`,
      message: `${name} is hard-coded in the file`,
      ...lowered(path, isKey, text.slice(start, index)),
    };
  }
}

/** A key is made up for most tests that need one; a line that says it is an example mostly has one from a manual. */
function lowered(path: string, isKey: boolean, before: string): Pick<Match, "severity"> {
  if (isTestMaterial(path) && isKey) return { severity: "medium" };
  return /\b(?:examples?|e\.g\.|sample|format|looks like)\b/i.test(before.slice(-200))
    ? { severity: "low" }
    : {};
}

const keyBody = /^(?:\\n|\\r|[\s"'+,\\])*(?:(?:Proc-Type|DEK-Info)[^\n]{0,80}\s*){0,2}[A-Za-z0-9+/]{40}/;

/** `password = "…"` with a value that looks drawn at random. Less sure than a known shape, and so less severe. */
function* assignments({ path, kind, language, lines }: AuditedFile): Generator<Match> {
  if (kind === "binary" || language === "lock" || isTestMaterial(path)) return;
  for (const { text, number, isWarnedOf } of lines) {
    if (isWarnedOf) continue;
    for (const { 1: value = "", index, 0: whole } of text.matchAll(assignment)) {
      if (!isRandom(value) || isPlaceholder(value)) continue;
      const line = text.replace(value, masked(value));
      yield {
        file: path,
        line: number,
        evidence: excerptAt(line, index),
        severity: "medium",
        message: messageFor(whole),
      };
    }
  }
}

const assignment =
  /(?:passw(?:or)?d|passphrase|secret|api_?key|apikey|access_?key|auth_?token|access_?token|private_?key|client_?secret|bearer)["']?\s{0,8}(?::|=|=>|:=)\s{0,8}["']([\w!@#$%^&*+/=.~-]{16,200})["']/gi;

function messageFor(whole: string): string {
  const name = /^[a-z_]+/i.exec(whole)?.[0].toLowerCase() ?? "secret";
  return `what looks like a real ${name} is hard-coded in the file`;
}

/** Digits among letters, and nearly as varied as chance would make it. */
function isRandom(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /^[a-z]+(?:[-_.][a-z\d]+)+$/i.test(value)) return false;
  const counts = new Map<string, number>();
  for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= 3.5;
}

/** Enough to find it, too little to use it. */
function masked(secret: string): string {
  return `${secret.slice(0, 6)}…`;
}
