import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { projectFileNames } from "../../../config/config-files.ts";
import { dataSuffixes } from "../../../shared/files/located-file.ts";
import { isFile, nearPath } from "../../../shared/files/paths.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { didYouMean, nearest } from "../../../shared/text/nearest.ts";
import { UserError } from "../../../shared/user-error.ts";
import { refusal } from "./check-located-document.ts";
import { readTasksDocument } from "./read-tasks-document.ts";

export interface BenchmarkLocations {
  cwd: string;
  /** The folder of the bundled benchmarks. */
  bundledDir: string;
  /** Folders of the user, looked through in order. */
  userDirs: readonly string[];
}

/** The file a `--benchmark` value means: a path, or an id among the user's and the bundled files. */
export async function findBenchmark(
  name: string,
  { cwd, bundledDir, userDirs }: BenchmarkLocations,
): Promise<{ path: string; warnings: string[] }> {
  if (name.includes("/") || isDataFile(name)) return { path: findFile(name, cwd), warnings: [] };
  const found: Found[] = [];
  for (const dir of userDirs) found.push(...(await benchmarksIn(resolve(cwd, dir), name)));
  const own = distinct(found);
  const bundled = await benchmarksIn(bundledDir, name);
  const [mine, other] = own.filter(({ id }) => id === name);
  const theirs = bundled.find(({ id }) => id === name);
  if (mine !== undefined && other !== undefined) {
    throw new UserError(
      "benchmark-invalid",
      `duplicate benchmark id \`${name}\` in ${mine.path} and ${other.path}`,
      {
        path: other.path,
        jsonPath: "$.id",
        hint: "rename one of them, or pass the file path",
      },
    );
  }
  if (mine !== undefined) {
    const isOther = theirs !== undefined && canonicalJson(theirs.content) !== canonicalJson(mine.content);
    return {
      path: mine.path,
      warnings: isOther ? [`${mine.path} overrides the bundled benchmark ${name}`] : [],
    };
  }
  if (theirs !== undefined) return { path: theirs.path, warnings: [] };
  const known = [...new Set([...own, ...bundled].map(({ id }) => id))].sort();
  throw new UserError("benchmark-not-found", `benchmark not found: ${name}; available: ${known.join(", ")}`, {
    path: name,
    hint: didYouMean(name, known),
  });
}

/** Files that mark the root of a project. */
const rootFiles = [...projectFileNames, ".git", "package.json"];

/** The path of a task list inside its project, the same from wherever it is named; without a project, as seen from here. */
export function bareBenchmarkId(path: string, cwd: string): string {
  let folder = dirname(path);
  while (!rootFiles.some((name) => existsSync(join(folder, name)))) {
    const above = dirname(folder);
    if (above === folder) return nearPath(path, cwd).replaceAll("\\", "/");
    folder = above;
  }
  return relative(folder, path).replaceAll("\\", "/");
}

function findFile(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  if (isFile(path)) return path;
  if (existsSync(path))
    throw new UserError("benchmark-not-found", `${name} is a ${entryKind(path)}, not a benchmark file`, {
      path: name,
      hint: "pass a JSON or YAML file with tasks",
    });
  const near = nearest(basename(name), namesBeside(path));
  throw new UserError("benchmark-not-found", `benchmark file not found: ${name}`, {
    path: name,
    ...(near === null ? {} : { hint: `did you mean ${join(dirname(name), near)}?` }),
  });
}

function entryKind(path: string): string {
  return statSync(path).isDirectory() ? "folder" : "pipe or device";
}

function namesBeside(path: string): string[] {
  try {
    return readdirSync(dirname(path)).filter(isDataFile);
  } catch {
    return []; // there is no such folder either
  }
}

interface Found {
  id: string;
  path: string;
  content: unknown;
}

/** Benchmark files in a folder. Other files are ignored, unless they have the wanted name. */
async function benchmarksIn(dir: string, wanted: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const path of candidates(dir)) {
    const content = await readContent(path, benchmarkName(path) === wanted);
    if (!isMap(content) || content.tasks === undefined) continue;
    if (typeof content.id === "string") found.push({ id: content.id, path, content });
  }
  return found;
}

function candidates(dir: string): string[] {
  return namesIn(dir)
    .map((name) => join(dir, name))
    .flatMap((path) =>
      isDataFile(path) && isFile(path) ? [path] : dataSuffixes.map((end) => join(path, `benchmark${end}`)),
    )
    .filter(isFile);
}

function isDataFile(path: string): boolean {
  return dataSuffixes.includes(extname(path));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new UserError("benchmark-not-found", `cannot read folder ${dir} (${code})`, { path: dir });
  }
}

/** `quick` for `quick.json` and for `quick/benchmark.json`. */
function benchmarkName(path: string): string {
  const name = basename(path, extname(path));
  return name === "benchmark" ? basename(dirname(path)) : name;
}

/** What a file says; null where it cannot be read, unless it has to be. */
async function readContent(path: string, isNeeded: boolean): Promise<unknown> {
  try {
    const document = await readTasksDocument(path);
    if (document.faults.length > 0 && isNeeded) throw refusal([], document);
    return document.value;
  } catch (error) {
    if (isNeeded) throw error;
    return null;
  }
}

/** One file reached through two folders is one file. */
function distinct(found: readonly Found[]): Found[] {
  const seen = new Set<string>();
  return found.filter(({ path }) => {
    const { size } = seen;
    return seen.add(realpathSync(path)).size > size;
  });
}
