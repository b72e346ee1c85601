import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { canonicalJson } from "../base/canonical-json.ts";
import { didYouMean } from "../base/nearest.ts";
import { UserError } from "../contract/user-error.ts";
import { readJsonFile } from "./read-json-file.ts";

export interface BenchmarkPlaces {
  cwd: string;
  /** Where the bundled benchmarks lie. */
  bundledDir: string;
  /** Folders of the user, looked through in order. */
  userDirs: readonly string[];
}

/** The file a `--benchmark` value means: a path, or an id among the user's and the bundled files. */
export function findBenchmark(name: string, places: BenchmarkPlaces): { path: string; warnings: string[] } {
  if (name.includes("/") || name.endsWith(".json")) return { path: findFile(name, places.cwd), warnings: [] };
  const own = places.userDirs.flatMap((dir) => benchmarksIn(resolve(places.cwd, dir)));
  const bundled = benchmarksIn(places.bundledDir);
  const [mine, other] = distinct(own.filter(({ id }) => id === name));
  const theirs = bundled.find(({ id }) => id === name);
  if (mine !== undefined && other !== undefined) {
    throw new UserError("benchmark-invalid", `the id ${name} stands in ${mine.path} and in ${other.path}`, {
      path: other.path,
      jsonPath: "$.id",
      hint: "rename one of them, or name the file itself",
    });
  }
  if (mine !== undefined) {
    const isOther = theirs !== undefined && canonicalJson(theirs.content) !== canonicalJson(mine.content);
    return {
      path: mine.path,
      warnings: isOther ? [`${mine.path} takes the place of the bundled benchmark ${name}`] : [],
    };
  }
  if (theirs !== undefined) return { path: theirs.path, warnings: [] };
  const known = [...new Set([...own, ...bundled].map(({ id }) => id))].sort();
  throw new UserError("benchmark-not-found", `there is no benchmark ${name}; known are ${known.join(", ")}`, {
    path: name,
    hint: didYouMean(name, known),
  });
}

function findFile(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  if (existsSync(path) && statSync(path).isFile()) return path;
  throw new UserError("benchmark-not-found", `there is no benchmark file ${name}`, { path: name });
}

interface Found {
  id: string;
  path: string;
  content: unknown;
}

/** Files that call themselves a benchmark. Others in the folder are none of our business until they are named. */
function benchmarksIn(dir: string): Found[] {
  return candidates(dir).flatMap((path) => {
    const content = readQuietly(path);
    if (typeof content !== "object" || content === null) return [];
    const { id, tasks } = content as { id?: unknown; tasks?: unknown };
    return typeof id === "string" && tasks !== undefined ? [{ id, path, content }] : [];
  });
}

function candidates(dir: string): string[] {
  if (!existsSync(dir) || !statSync(dir).isDirectory()) return [];
  return readdirSync(dir)
    .sort()
    .map((name) => join(dir, name))
    .flatMap((path) => {
      if (path.endsWith(".json") && statSync(path).isFile()) return [path];
      const nested = join(path, "benchmark.json");
      return existsSync(nested) ? [nested] : [];
    });
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
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
}
