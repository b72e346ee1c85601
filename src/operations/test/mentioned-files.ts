import { readFileSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { isInside, realPath } from "../../shared/files/paths.ts";
import type { FileChange, FileChanges } from "./file-changes.ts";

/**
 * Follows the paths that files mention: a scorer of a suite, a schema of a bench, an import of a program, whatever the
 * language. Paths are found by their looks, so a sentence about a file is a mention too: rather run too much.
 */
export interface MentionedFiles {
  /** A changed file that one of these mentions, or that a mentioned file mentions; null where none is. */
  changedBeyond(folder: string, files: readonly string[]): FileChange | null;
}

/** Every file is read once, however many mention it. */
export function followMentions(changes: FileChanges): MentionedFiles {
  const followed = new Map<string, FileChange | null>();

  function changedFrom(files: readonly string[], own: string): FileChange | null {
    for (const file of files)
      for (const path of pathsIn(file, own)) {
        const change = changedAt(path);
        if (change !== null) return change;
      }
    return null;
  }

  function changedAt(path: string): FileChange | null {
    const known = followed.get(path);
    if (known !== undefined) return known;
    followed.set(path, null); // files that mention each other end here
    const [first = null] = changes.below(path);
    const change = first ?? changedFrom(changes.files(path).slice(0, maxFiles), path);
    followed.set(path, change);
    return change;
  }

  return { changedBeyond: (folder, files) => changedFrom(files.slice(0, maxFiles), realPath(folder)) };
}

/** Of a folder no more are read. */
const maxFiles = 2000;

/** A file that is larger holds data. */
const maxChars = 256 * 1024;

/** What is left out where a program imports another: `../lib/sum` is `../lib/sum.py`. */
const endings = ["", ".mjs", ".js", ".ts", ".py", ".json"];

/** Real paths outside of a folder or file that another file mentions, itself among them where it is a link. */
function* pathsIn(file: string, own: string): Generator<string> {
  const real = realPath(file);
  if (real !== file && !isInside(own, real)) yield real;
  for (const word of new Set(wordsIn(real))) {
    const path = resolve(dirname(real), word);
    // What is around it holds everything: naming that names nothing.
    if (isInside(own, path) || isInside(path, own)) continue;
    yield* extname(path) === "" ? endings.map((ending) => realPath(path + ending)) : [realPath(path)];
  }
}

function wordsIn(file: string): readonly string[] {
  const text = readText(file);
  return text.match(/[^\s"'`()<>[\]{},;:=|]+/g)?.filter(looksLikePath) ?? [];
}

/** `../lib/sum`, `schemas/plan.json`, `score.mjs`; not `3.5` or a link to another machine. */
function looksLikePath(word: string): boolean {
  if (word.length > 500 || word.startsWith("//")) return false;
  return (
    /^\.\.?\//.test(word) || /[^/]\/[^/]/.test(word) || /^[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,9}$/i.test(word)
  );
}

function readText(file: string): string {
  try {
    const facts = statSync(file);
    if (!facts.isFile() || facts.size > maxChars) return "";
    const text = readFileSync(file, "utf8");
    return text.includes("\0") ? "" : text;
  } catch {
    return ""; // gone, or not readable, which its reader reports
  }
}
