import { closeSync, type Dirent, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../shared/files/paths.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { holdsEvalMaterial } from "./eval-content.ts";

export interface EvalMaterial {
  /** Files and folders that must look empty. */
  paths: readonly string[];
  /** Whether there is more in the folder than is looked through. */
  isTooLarge: boolean;
}

const versionControl = new Set([".git", ".hg", ".svn", ".jj"]);
const testFolders = new Set(["tests", "test", "evals", "eval", "__tests__"]);
const evalFile = /^(?:eval\.ya?ml|evals\.json|.*\.eval\.(?:json|ya?ml|jsonl))$/s;
/** What marks a folder as a skill. */
const manifests = ["SKILL.md", "skill.json"];
/** Packages of others, which nobody reads as a suite and which may be many. */
const packages = new Set(["node_modules", "site-packages", "__pycache__"]);

/**
 * Everything in a folder that tells a skill what is expected of it: its tests, suites, earlier reports, stores and
 * recordings, and every earlier version of them. What the user granted by its path is left out, but not what lies in it.
 */
export function findEvalMaterial(
  root: string,
  granted: readonly string[],
  maxEntries = defaultMaxEntries,
): EvalMaterial {
  const paths: string[] = [];
  const waiting = [{ folder: root, isOfTests: false }];
  let entries = 0;
  const isGranted = (path: string) => granted.some((one) => path === one);
  const leadsToGrant = (path: string) => granted.some((one) => isInside(path, one));

  function look(folder: string, entry: Dirent, isSkill: boolean): void {
    const { name } = entry;
    const path = join(folder, name);
    if (versionControl.has(name)) paths.push(path);
    else if (isSkill && testFolders.has(name) && !leadsToGrant(path)) paths.push(path);
    else if (entry.isDirectory() && !packages.has(name))
      waiting.push({ folder: path, isOfTests: isSkill && testFolders.has(name) && !isGranted(path) });
    else if (evalFile.test(name) || (entry.isFile() && holdsEvalMaterial(name, () => readHead(path))))
      paths.push(path);
  }

  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { folder, isOfTests } = next;
    const found = entriesOf(folder);
    entries += found.length;
    if (entries > maxEntries) return { paths, isTooLarge: true };
    const names = new Set(found.map(({ name }) => name));
    if (folder !== root && isBareRepository(names)) paths.push(folder);
    else if (isOfTests) hideAllBut(folder, found);
    // A virtual environment is full of packages.
    else if (folder === root || !names.has("pyvenv.cfg"))
      for (const entry of found)
        look(folder, entry, folder === root || manifests.some((name) => names.has(name)));
  }
  return { paths: withoutCrowds(paths, root), isTooLarge: false };

  /** Of a folder of tests only what was granted, and the way to it. */
  function hideAllBut(folder: string, found: readonly Dirent[]): void {
    for (const { name } of found) {
      const path = join(folder, name);
      if (!leadsToGrant(path)) paths.push(path);
      else waiting.push({ folder: path, isOfTests: !isGranted(path) });
    }
  }
}

/**
 * The folders of version control in a folder. Their settings hold credentials of the user: nothing that a file names sees
 * them, not even what may see the answers.
 */
export function findVersionControl(root: string, maxEntries = maxNames): EvalMaterial {
  const paths: string[] = [];
  const waiting = [root];
  let entries = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const found = entriesOf(folder);
    entries += found.length;
    if (entries > maxEntries) return { paths, isTooLarge: true };
    if (folder !== root && isBareRepository(new Set(found.map(({ name }) => name)))) paths.push(folder);
    else
      for (const entry of found) {
        const path = join(folder, entry.name);
        if (versionControl.has(entry.name)) paths.push(path);
        else if (entry.isDirectory() && !packages.has(entry.name)) waiting.push(path);
      }
  }
  return { paths, isTooLarge: false };
}

/** Only their names are read; it takes about half a second. */
const maxNames = 100_000;

/** As many as a skill may have; it takes about half a second. */
const defaultMaxEntries = 20_000;

function isBareRepository(names: ReadonlySet<string>): boolean {
  return ["HEAD", "objects", "refs"].every((name) => names.has(name));
}

/** Each takes three arguments, and bubblewrap accepts 9000 in all. */
const maxPaths = 500;

/** Where they are too many, the folders that hold several of them are hidden as a whole. */
function withoutCrowds(paths: readonly string[], root: string): string[] {
  if (paths.length <= maxPaths) return [...paths];
  const inFolder = groupedBy(paths, dirname);
  const hidden = [...inFolder].flatMap(([folder, own]) =>
    own.length > 1 && folder !== root ? [folder] : own,
  );
  return [...new Set(hidden)];
}

/** None where it cannot be read; then a skill cannot read it either. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Enough for the first case of a suite, and for the header of a database. */
const headBytes = 65_536;
const firstBytes = 4096;

/** The beginning of a file, first a little of it: most files can be told by that. */
function* readHead(path: string): Generator<Buffer, void, undefined> {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const first = Buffer.alloc(firstBytes);
    const size = readSync(file, first, 0, firstBytes, 0);
    yield first.subarray(0, size);
    if (size < firstBytes) return;
    const head = Buffer.alloc(headBytes);
    yield head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } catch {
    // It is gone, or not readable.
  } finally {
    if (file !== null) closeSync(file);
  }
}
