import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { projectFileNames } from "../../../config/config-files.ts";
import { nearPath } from "../../../shared/files/paths.ts";
import { readJsonFile } from "../../../shared/files/read-text-file.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import { didYouMean, nearest } from "../../../shared/text/nearest.ts";
import { UserError } from "../../../shared/user-error.ts";

export interface BenchmarkLocations {
  cwd: string;
  /** The folder of the bundled benchmarks. */
  bundledDir: string;
  /** Folders of the user, looked through in order. */
  userDirs: readonly string[];
}

/** The file a `--benchmark` value means: a path, or an id among the user's and the bundled files. */
export function findBenchmark(
  name: string,
  locations: BenchmarkLocations,
): { path: string; warnings: string[] } {
  if (name.includes("/") || name.endsWith(".json"))
    return { path: findFile(name, locations.cwd), warnings: [] };
  const own = distinct(locations.userDirs.flatMap((dir) => benchmarksIn(resolve(locations.cwd, dir), name)));
  const bundled = benchmarksIn(locations.bundledDir, name);
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
      hint: "pass a JSON file with tasks",
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
    return readdirSync(dirname(path)).filter((name) => name.endsWith(".json"));
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
function benchmarksIn(dir: string, wanted: string): Found[] {
  return candidates(dir).flatMap((path) => {
    const content =
      benchmarkName(path) === wanted ? readJsonFile(path, "benchmark-invalid") : readQuietly(path);
    if (typeof content !== "object" || content === null) return [];
    const { id, tasks } = content as { id?: unknown; tasks?: unknown };
    return typeof id === "string" && tasks !== undefined ? [{ id, path, content }] : [];
  });
}

function candidates(dir: string): string[] {
  return namesIn(dir)
    .map((name) => join(dir, name))
    .flatMap((path) => (path.endsWith(".json") && isFile(path) ? [path] : [join(path, "benchmark.json")]))
    .filter(isFile);
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

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // nothing there, or a link to nowhere
  }
}

/** `quick` for `quick.json` and for `quick/benchmark.json`. */
function benchmarkName(path: string): string {
  const name = basename(path, ".json");
  return name === "benchmark" ? basename(dirname(path)) : name;
}

function readQuietly(path: string): unknown {
  try {
    return readJsonFile(path, "benchmark-invalid");
  } catch {
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
