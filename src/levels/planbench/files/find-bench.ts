import { readdirSync, realpathSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { caseSuffixes, readCaseDocument } from "../../../cases/files/case-document.ts";
import { isFile, nearPath } from "../../../shared/files/paths.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { nearest } from "../../../shared/text/nearest.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { UserError } from "../../../shared/user-error.ts";

/** The bench to run if none is named. */
const defaultBench = "quick";

export interface BenchLocations {
  cwd: string;
  /** The folder of the bundled benches. */
  bundledDir: string;
}

/** The file a bench is in, named by its path or its id; a file of the user's wins over a bundled one. */
export async function findBench(
  named: string | null,
  { cwd, bundledDir }: BenchLocations,
): Promise<{ path: string; warnings: string[] }> {
  const id = named ?? defaultBench;
  if (id.includes("/") || caseSuffixes.includes(extname(id))) return { path: fileAt(id, cwd), warnings: [] };
  const bundled = await benchesIn(bundledDir, id, cwd);
  const known = new Set(bundled.map(({ real }) => real));
  const own: Found[] = [];
  for (const folder of userFolders) own.push(...(await benchesIn(resolve(cwd, folder), id, cwd)));
  const [mine, other] = own.filter((bench) => bench.id === id && !known.has(bench.real));
  const theirs = bundled.find((bench) => bench.id === id);
  if (mine !== undefined && other !== undefined)
    throw new UserError("benchmark-invalid", `duplicate bench id ${id} in ${mine.shown} and ${other.shown}`, {
      path: other.shown,
      jsonPath: "$.id",
      hint: "rename one of them, or pass the file path",
    });
  if (mine !== undefined) {
    const words = `${mine.shown} overrides the bundled bench ${id}`;
    return { path: mine.path, warnings: theirs === undefined ? [] : [words] };
  }
  if (theirs !== undefined) return { path: theirs.path, warnings: [] };
  const ids = [...new Set([...own, ...bundled].map((bench) => bench.id))].sort();
  const near = nearest(id, ids);
  throw new UserError(
    "benchmark-not-found",
    `no bench ${shownText(id)}; available: ${ids.join(", ") || "none"}`,
    { path: id, hint: near === null ? "pass a file, or one of these ids" : `did you mean ${near}?` },
  );
}

/** Where benches of the user's own are looked for. */
const userFolders = ["benchmarks", "benchmarks/planbench"] as const;

interface Found {
  id: string;
  path: string;
  shown: string;
  /** Links followed: one file can be reached in two ways. */
  real: string;
}

function fileAt(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  if (isFile(path)) return path;
  const near = nearest(basename(path), namesIn(resolve(path, "..")));
  throw new UserError("benchmark-not-found", `no bench file ${shownText(name, 200)}`, {
    path: name,
    ...(near !== null && { hint: `did you mean ${join(name, "..", near)}?` }),
  });
}

/** Bench files in a folder. Other files are ignored, unless they have the wanted name. */
async function benchesIn(dir: string, wanted: string, cwd: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const name of namesIn(dir)) {
    const path = join(dir, name);
    if (!caseSuffixes.includes(extname(name)) || !isFile(path)) continue;
    const shown = nearPath(path, cwd);
    const isNamed = basename(name, extname(name)) === wanted;
    const value = await readCaseDocument(path, shown, "benchmark-invalid").then(
      (document) => document.value,
      (error: unknown) => {
        if (isNamed) throw error;
        return null;
      },
    );
    if (isMap(value) && typeof value.id === "string" && "schema" in value && "cases" in value)
      found.push({ id: value.id, path, shown, real: realpathSync(path) });
  }
  return found;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return []; // no such folder, or not readable
  }
}
