import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { readTasksDocument } from "../../levels/unit/benchmark/read-tasks-document.ts";
import { dataSuffixes } from "../../shared/files/located-file.ts";
import { isInside, realPath } from "../../shared/files/paths.ts";
import { isMap } from "../../shared/json/json-values.ts";

/** What a file is, by its content: its name may be anything. */
export type AskingKind = "skill" | "benchmark" | "bench" | "suite";

export interface AskingFiles {
  files: { path: string; kind: AskingKind }[];
  /** Links to folders outside, which are not looked into: another project may be there, with asks of its own. */
  links: string[];
  /** Whether there is more in the folder than is looked through. */
  isTooLarge: boolean;
}

const defaultMaxEntries = 100_000;
const versionControl = new Set([".git", ".hg", ".svn", ".jj"]);
const packages = new Set(["node_modules", "site-packages", "__pycache__"]);

/** Every file of a project that may ask for something. */
export async function findAskingFiles(root: string, maxEntries = defaultMaxEntries): Promise<AskingFiles> {
  const found: AskingFiles = { files: [], links: [], isTooLarge: false };
  const waiting = [root];
  let entries = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const inFolder = entriesOf(folder);
    entries += inFolder.length;
    if (entries > maxEntries) return { ...found, isTooLarge: true };
    if (inFolder.some(({ name }) => name === "pyvenv.cfg")) continue;
    for (const entry of inFolder) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!versionControl.has(entry.name) && !packages.has(entry.name)) waiting.push(path);
        continue;
      }
      const target = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : null;
      if (target?.isDirectory() === true && !isInside(root, realPath(path))) found.links.push(path);
      if (!entry.isFile() && target?.isFile() !== true) continue;
      const kind = await kindOf(path);
      if (kind !== null) found.files.push({ path, kind });
    }
  }
  return found;
}

/** In an order that no file system decides. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // then no run can read it either
  }
}

async function kindOf(path: string): Promise<AskingKind | null> {
  if (!dataSuffixes.includes(extname(path))) return null;
  const value = await readTasksDocument(path).then(
    ({ value, faults }) => (faults.length === 0 ? value : null),
    () => null, // nothing that can be run
  );
  const suffix = extname(path);
  const isJson = suffix === ".json";
  if (Array.isArray(value)) {
    const [first] = value;
    if (!isMap(first)) return null;
    if (Object.hasOwn(first, "expectedOutput")) return "benchmark";
    if (suffix === ".jsonl") return null;
    return hasAny(first, ["query", "prompt"]) ? "suite" : null;
  }
  if (!isMap(value)) return null;
  if (isJson && hasAll(value, ["adapterType", "entrypoint"])) return "skill";
  if (hasAll(value, ["id", "schema", "cases"])) return "bench";
  if (Array.isArray(value.tasks)) return "benchmark";
  const isNamedSuite = ["suite", "case"].includes(basename(path, extname(path)));
  return isNamedSuite || hasAny(value, ["cases", "evals", "input", "expect", "mock"]) ? "suite" : null;
}

function hasAll(value: object, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(value, name));
}

function hasAny(value: object, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(value, name));
}
