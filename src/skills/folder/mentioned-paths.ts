import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";

/** A file that is larger holds data. */
const maxChars = 256 * 1024;

/** What is left out where a program imports another: `../lib/sum` is `../lib/sum.py`. */
const endings = ["", ".mjs", ".js", ".ts", ".py", ".json"];

/** Real paths outside of a folder or file that another file mentions, itself among them where it is a link. */
export function* mentionedPaths(file: string, own: string): Generator<string> {
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

const maxOutside = 200;
/** Of a folder no more are read. */
const maxFiles = 2000;
/** What is installed into a skill refers to itself. */
const installed = /(?:^|\/)(?:node_modules|\.venv|venv|site-packages)\//;

/**
 * What is outside of a folder and named by `../` in its files, with what those name in turn, as one hash; null where there is
 * nothing. `exclude` is what runs write. What a program composes at run time is not seen, nor what is installed on the machine.
 */
export function outsideDigest(
  folder: string,
  files: readonly string[],
  exclude: readonly string[],
): string | null {
  const own = realPath(folder);
  const found = new Set<string>();
  const passedOver = [own, ...exclude.map(realPath)];
  const follow = (file: string, around: string) => {
    for (const path of mentionedPaths(file, around))
      for (const one of filesAt(path))
        if (found.size < maxOutside && !passedOver.some((place) => isInside(place, one))) found.add(one);
  };
  for (const path of files.filter((name) => !installed.test(name)).slice(0, maxFiles)) {
    const file = join(own, path);
    if (readText(file).includes("../")) follow(file, own);
  }
  for (const file of found) follow(file, file);
  if (found.size === 0) return null;
  const lines = [...found].map((file) => `${relative(own, file)} ${sha256(readFileSync(file))}`);
  return sha256(lines.sort().join("\n"));
}

/** A file itself, and of a folder the files in it. */
function filesAt(path: string): string[] {
  try {
    const facts = statSync(path);
    if (facts.isFile()) return facts.size <= maxChars ? [path] : [];
    const entries = facts.isDirectory() ? readdirSync(path, { withFileTypes: true }) : [];
    return entries.flatMap((entry) => (entry.isFile() ? filesAt(join(path, entry.name)) : []));
  } catch {
    return []; // a mention of what is not there, or not readable
  }
}
