import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { SkillCommand } from "../contract/sandbox.ts";
import { findProgram } from "../shared/files/find-program.ts";
import { isInside, realPath } from "../shared/files/paths.ts";
import { memoryDisks, workPath } from "./bubblewrap-flags.ts";
import { type FailedLookup, failedLookups } from "./failed-lookups.ts";
import { isOfKernel, isSystemPath } from "./host/system-folders.ts";
import { skillPath, type View } from "./view.ts";

/** What a program was looking for when it failed, and what kept it from it. */
export interface HiddenPath {
  /** On the machine. */
  path: string;
  why: "not-shown" | "read-only" | "own-path" | "not-on-path";
}

export interface Inside {
  command: SkillCommand;
  view: View;
  /** The folder in which the program was started, by its name inside. */
  cwd: string;
  /** Where the user looks for programs. */
  env: NodeJS.ProcessEnv;
}

/** One reading of a name: what it is inside, and what on the machine. */
interface Reading {
  inside: string;
  host: string;
}

/**
 * What a program says it did not find, if it really is on the machine and really is not shown. The words are a stranger's
 * and prove nothing, so everything is looked up.
 */
export function findHiddenPath(words: string, place: Inside): HiddenPath | null {
  const lookups = [...failedLookups(words).slice(0, maxLookups), ...complainedWords(words, place.command)];
  for (const lookup of lookups) {
    const found = readings(lookup, place).find((reading) => isKept(reading, lookup, place));
    if (found !== undefined) return { path: found.host, why: reason(found, lookup, place) };
  }
  return null;
}

const maxLookups = 40;

/** Paths on its command line that a program names when it fails, in whatever words. */
function complainedWords(words: string, { argv }: SkillCommand): FailedLookup[] {
  return argv
    .filter((word, index) => index > 0 && word.includes("/") && words.includes(word))
    .map((name) => ({ name, as: "path", wants: "read", from: null }));
}

function readings({ name, as, from }: FailedLookup, place: Inside): Reading[] {
  if (name.includes("\0") || name.length > 4096) return [];
  const start = dirname(hostPath(from ?? join(place.cwd, "program"), place));
  const at = (host: string): Reading => ({ host, inside: place.view.inside(host) });
  switch (as) {
    case "path":
      return pathReadings(name, start, place);
    case "program": {
      const path = findProgram(name, { PATH: place.command.env.PATH ?? place.env.PATH });
      return [at(resolve(start, name)), ...(path === null ? [] : [at(path)])];
    }
    case "repository":
      return foldersUp(start).map((folder) => at(join(folder, name)));
    case "node-module":
      return /^\.{0,2}\//.test(name)
        ? pathReadings(name, start, place).flatMap(({ host, inside }) =>
            moduleEndings.map((ending) => ({ host: host + ending, inside: inside + ending })),
          )
        : foldersUp(start).map((folder) => at(join(folder, "node_modules", packageName(name))));
    case "python-module":
      return pythonFolders(from, start, place)
        .map((folder) => join(folder, ...name.split(".")))
        .flatMap((path) => [at(`${path}.py`), at(path)]);
    default:
      return as satisfies never;
  }
}

const moduleEndings = ["", ".js", ".mjs", ".cjs", ".json", ".ts", "/index.js"];

function packageName(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function pathReadings(name: string, start: string, place: Inside): Reading[] {
  const { view } = place;
  if (!isAbsolute(name)) {
    const host = resolve(start, name);
    return [{ host, inside: view.inside(host) }];
  }
  const inside = resolve(name);
  const host = hostPath(inside, place);
  // Above `/skill` there is nothing: what a program calls `/shared` was `../shared` or `../../shared`.
  const climbed = host === inside && view.at === skillPath ? foldersUp(dirname(view.folder)) : [];
  return [host, ...climbed.map((folder) => join(folder, inside))].map((one) => ({ host: one, inside }));
}

/** Where a Python program may have meant to import from: what it adds to its path is written in its source. */
function pythonFolders(from: string | null, start: string, place: Inside): string[] {
  const { view, command } = place;
  const source = from === null ? "" : readSource(hostPath(from, place), view.folder);
  const own = [start, view.folder, ...(command.env.PYTHONPATH ?? "").split(":")].filter(
    (path) => path !== "",
  );
  if (!/\bsys\.path\b/.test(source)) return own;
  const above = foldersUp(dirname(view.folder));
  const words = [...source.matchAll(/["']([\w./ @+-]{1,200})["']/g)].slice(0, maxWords);
  const added = words.flatMap(([, word = ""]) => [start, ...above].map((folder) => resolve(folder, word)));
  return [...own, ...added, ...above];
}

const maxWords = 50;
const maxSourceBytes = 262_144;

/** Of a program of the skill alone: the name is a stranger's word. */
function readSource(path: string, folder: string): string {
  const real = realPath(path);
  const found = statSync(real, { throwIfNoEntry: false });
  if (!isInside(folder, real) || !found?.isFile() || found.size > maxSourceBytes) return "";
  return readFileSync(real, "utf8");
}

/** A folder and those above it, without the root. */
function foldersUp(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [folder, ...foldersUp(parent)];
}

function hostPath(inside: string, { view, command: { workspace } }: Inside): string {
  if (isInside(skillPath, inside)) return join(view.folder, relative(skillPath, inside));
  if (workspace === undefined || !isInside(workPath, inside)) return inside;
  return join(workspace, relative(workPath, inside));
}

/** Whether it is there for the user who runs us, and the sandbox keeps the program from it. */
function isKept({ inside, host }: Reading, { wants, as }: FailedLookup, place: Inside): boolean {
  if (isOfKernel(inside) || isOfKernel(host)) return false;
  if (wants === "write") {
    if (memoryDisks.some(({ at }) => at === inside || at === dirname(inside))) return false;
    return isOpenTo(constants.W_OK, isOpenTo(constants.F_OK, host) ? host : dirname(host));
  }
  if (!isOpenTo(as === "program" ? constants.X_OK : constants.R_OK, host)) return false;
  return !isShown(inside, place) || !isShown(place.view.inside(realPath(host)), place);
}

function isOpenTo(how: number, path: string): boolean {
  try {
    accessSync(path, how);
    return true;
  } catch {
    return false;
  }
}

function isShown(inside: string, { view, command: { workspace } }: Inside): boolean {
  if (isSystemPath(inside) || (workspace !== undefined && isInside(workPath, inside))) return true;
  const own = isInside(skillPath, inside) ? join(view.at, relative(skillPath, inside)) : inside;
  return view.binds.some(({ at }) => isInside(at, own)) && !view.masks.some(({ at }) => isInside(at, own));
}

function reason(
  { inside, host }: Reading,
  { wants, as, name }: FailedLookup,
  place: Inside,
): HiddenPath["why"] {
  if (wants === "write") return "read-only";
  if (as === "program" && !isInside(place.view.folder, host) && resolve(name) !== host) return "not-on-path";
  const isOwn = place.view.at === skillPath && isInside(place.view.folder, host);
  return isOwn && inside === host ? "own-path" : "not-shown";
}
