import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { caseSuffixes } from "./case-document.ts";
import { statPath } from "./case-files.ts";

/** What lies in a folder that may hold cases, in code-unit order; dot names are left out. */
export interface CaseFolder {
  /** Absolute. */
  path: string;
  /** As the user would name it. */
  shown: string;
  files: readonly string[];
  folders: readonly string[];
}

const maxEntries = 10_000;

export function readCaseFolder(path: string, shown: string): CaseFolder {
  const names = namesIn(path, shown).filter((name) => !name.startsWith("."));
  if (names.length > maxEntries)
    throw new UserError("suite-invalid", `${shown} contains more than ${maxEntries} files and folders`, {
      path: shown,
    });
  const files: string[] = [];
  const folders: string[] = [];
  for (const name of names.sort(inOrder)) {
    const stats = statPath(join(path, name));
    if (stats?.isFile() === true) files.push(name);
    else if (stats?.isDirectory() === true) folders.push(name);
  }
  return { path, shown, files, folders };
}

function namesIn(path: string, shown: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError("suite-invalid", `${shown} cannot be read (${code})`, { path: shown, cause: error });
  }
}

/** The file with this name and one of the suffixes, absolute; null where there is none. Two such files would contradict each other. */
export function fileCalled(stem: string, { path, shown, files }: CaseFolder): string | null {
  const found = caseSuffixes.map((suffix) => `${stem}${suffix}`).filter((name) => files.includes(name));
  const [first, second] = found;
  if (first === undefined) return null;
  if (second !== undefined) {
    const code = stem === "suite" ? "suite-invalid" : "case-invalid";
    throw new UserError(code, `two files for the same name in ${shown}: ${first} and ${second}`, {
      path: join(shown, second),
      hint: "keep one of them",
    });
  }
  return join(path, first);
}

/** The names before the suffix of all files that may hold cases, each once. */
export function stemsIn({ files }: CaseFolder): string[] {
  const suited = files.filter((name) => caseSuffixes.includes(extname(name)));
  return [...new Set(suited.map((name) => name.slice(0, -extname(name).length)))];
}
