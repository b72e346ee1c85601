import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isFile } from "../../shared/files/paths.ts";
import { spacesHint } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import { matchesPath } from "../../skills/folder/path-pattern.ts";

const maxEntries = 100_000;

/** The files that names and patterns mean, each once; `*` and `?` stay within one name, `**` goes through folders. */
export function findReportFiles(namesOrPatterns: readonly string[], cwd: string): string[] {
  return [...new Set(namesOrPatterns.flatMap((text) => filesFor(text, cwd)))];
}

function filesFor(text: string, cwd: string): string[] {
  const isThere = (path: string) => existsSync(resolve(cwd, path));
  // A file whose name has a star in it is that file.
  if (isThere(text)) return [text];
  const hint = spacesHint(text, isThere);
  if (hint !== undefined)
    throw new UserError("report-invalid", `${text} does not exist`, { path: text, hint });
  if (!/[*?]/.test(text)) return [text];
  const found = expand(text, cwd);
  if (found.length > 0) return found;
  throw new UserError("report-invalid", `no files match ${text}`, {
    path: text,
    hint: "`eval-skills eval` writes reports to ./reports/eval-result-*.json",
  });
}

function expand(pattern: string, cwd: string): string[] {
  const names = pattern.split("/");
  const firstWild = names.findIndex((name) => /[*?]/.test(name));
  const base = names.slice(0, firstWild).join("/");
  const root = base === "" && pattern.startsWith("/") ? "/" : resolve(cwd, base);
  const rest = names.slice(firstWild);
  const depth = rest.includes("**") ? Number.POSITIVE_INFINITY : rest.length;
  const wanted = rest.join("/");
  return filesBelow(root, depth, rest.some(isHidden))
    .filter((path) => matchesPath(wanted, path))
    .sort()
    .map((path) => [...names.slice(0, firstWild), path].join("/"));
}

/** Paths of the files below a folder, `/`-separated. As in a shell, hidden names must be named explicitly, and `**` follows no links. */
function filesBelow(root: string, depth: number, withHidden: boolean): string[] {
  const files: string[] = [];
  const waiting = [{ path: "", level: 1 }];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readEntries(join(root, folder.path))) {
      if (++seen > maxEntries)
        throw new UserError("report-invalid", `${root} contains more than ${maxEntries} files`, {
          path: root,
          hint: "pass the folder that contains the reports",
        });
      if (isHidden(entry.name) && !withHidden) continue;
      const path = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      if (
        entry.isDirectory() ||
        (entry.isSymbolicLink() && Number.isFinite(depth) && isFolder(join(root, path)))
      ) {
        if (entry.name !== "node_modules" && folder.level < depth)
          waiting.push({ path, level: folder.level + 1 });
      } else if (entry.isFile() || isFile(join(root, path))) files.push(path);
    }
  }
  return files;
}

function readEntries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no such folder, or not ours to read: nothing in it fits
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".") && name !== "." && name !== "..";
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
