import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { InputFile } from "../../contract/loaded-case.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { compileSchema } from "../../shared/json/json-schema.ts";
import { isPlainSchema } from "../../shared/json/plain-schema.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { shownText } from "../../shared/text/visible-text.ts";

/** A path of a case, found; or why it cannot be used. */
export type FoundPath = { ok: true; path: string } | { ok: false; problem: string };
type InputFolder = { ok: true; files: readonly InputFile[] } | { ok: false; problem: string };

const maxFiles = 10_000;
const maxBytes = 64 * 1024 * 1024;
const maxDepth = 64;

/** The files that cases name. Cases that share a file share the work of reading it. */
export class CaseFiles {
  readonly #projectRoot: string;
  /** The project and what else the user named, as real paths: what a case names elsewhere, it asks for. */
  readonly folders: readonly string[];
  readonly #hashes = new Map<string, string | null>();
  readonly #folders = new Map<string, InputFolder>();
  readonly #schemas = new Map<string, string | null>();

  constructor(projectRoot: string, folders: readonly string[]) {
    this.#projectRoot = projectRoot;
    this.folders = folders;
  }

  /** Where a path of a case leads: `${case}/…` from its folder, any other relative one from the project. */
  resolvePath(words: string, dir: string): FoundPath {
    const own = /^\$\{case\}(?:\/|$)/.exec(words)?.[0];
    if (own !== undefined) return { ok: true, path: join(dir, words.slice(own.length)) };
    if (words.includes("${")) return { ok: false, problem: `only \${case} is supported, at the start` };
    return { ok: true, path: resolve(this.#projectRoot, words) };
  }

  /** A file that a case names: beside the case, else from the project. */
  file(words: string, dir: string): FoundPath {
    const beside = words.includes("${") || isAbsolute(words) ? null : join(dir, words);
    const found: FoundPath =
      beside !== null && statPath(beside) !== null
        ? { ok: true, path: beside }
        : this.resolvePath(words, dir);
    if (!found.ok) return found;
    const stats = statPath(found.path);
    const named = shownText(words, 200);
    if (stats === null) return { ok: false, problem: `names ${named}, which does not exist` };
    if (!stats.isFile()) return { ok: false, problem: `names ${named}, which is not a regular file` };
    if (stats.size > maxBytes) return { ok: false, problem: `names ${named}, which is larger than 64 MiB` };
    return found;
  }

  /** `sha256:…` of the bytes of a file that was found; null where it may not be read. */
  hashFile(path: string): string | null {
    const known = this.#hashes.get(path);
    if (known !== undefined) return known;
    const hash = hashOfFile(path);
    this.#hashes.set(path, hash);
    return hash;
  }

  /** Why something is not a JSON Schema; null where it is one. Compiling it takes longer than all the rest of a case. */
  problemWithSchema(schema: JsonSchema): string | null {
    if (isPlainSchema(schema)) return null;
    const key = canonicalJson(schema);
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const compiled = compileSchema(schema);
    const problem = compiled.ok ? null : compiled.problem;
    this.#schemas.set(key, problem);
    return problem;
  }

  /** What lies in an `inputs/` folder; nothing where there is none. */
  inputsIn(folder: string): InputFolder {
    const known = this.#folders.get(folder) ?? listInputs(folder);
    this.#folders.set(folder, known);
    return known;
  }
}

function hashOfFile(path: string): string | null {
  try {
    return sha256(readFileSync(path));
  } catch {
    return null;
  }
}

/** What is at a path, links followed; null where nothing is. */
export function statPath(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null; // nothing there, nothing to be seen, or a name that no file can have
  }
}

/** An agent gets copies: what is neither a file nor a folder has none, and a link could lead anywhere. */
function listInputs(folder: string): InputFolder {
  if (statPath(folder)?.isDirectory() !== true) return { ok: true, files: [] };
  const files: InputFile[] = [];
  const refuse = (problem: string): InputFolder => ({ ok: false, problem });
  const open = [{ way: "", depth: 0 }];
  let bytes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { way, depth } = next;
    if (depth > maxDepth) return refuse(`inputs/ has folders more than ${maxDepth} deep`);
    const names = namesIn(join(folder, way));
    if (names === null) return refuse(`inputs/${shownText(way, 200)} cannot be read`);
    for (const entry of names) {
      const name = `${way}${entry}`;
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) open.push({ way: `${name}/`, depth: depth + 1 });
      else if (stats?.isFile() === true) {
        files.push({ name, path });
        bytes += stats.size;
      } else return refuse(`inputs/${shownText(name, 200)} is neither a regular file nor a folder`);
      if (files.length + open.length > maxFiles)
        return refuse(`inputs/ contains more than ${maxFiles} files`);
      if (bytes > maxBytes) return refuse("inputs/ contains more than 64 MiB");
    }
  }
  return { ok: true, files: files.sort((a, b) => inOrder(a.name, b.name)) };
}

function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch {
    return null;
  }
}
