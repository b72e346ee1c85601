import type { FileProblem, SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { PythonImport } from "../../skills/python/python-module.ts";
import { decodePython, type PythonReading, readPython } from "../../skills/python/read-python.ts";

export type ScriptReading = PythonReading | { state: "problem"; problem: FileProblem };

/** The folder that holds the tools of a skill, and the only one that their imports are looked for in. */
export const scriptsFolder = "scripts";

const longestScript = 4 * 1024 * 1024;

/** The Python files of a skill: each is read once, and all of them together only so far. */
export class ToolScripts {
  readonly #folder: SkillFolder;
  readonly #readings = new Map<string, ScriptReading>();
  /** How many characters may still be read, and how many of what the grammar does not know. */
  #left = 8 * 1024 * 1024;
  #recoveryBudget = 128 * 1024;

  constructor(folder: SkillFolder) {
    this.#folder = folder;
  }

  async read(path: string): Promise<ScriptReading> {
    const known = this.#readings.get(path);
    if (known !== undefined) return known;
    const reading = await this.#readAnew(path);
    this.#readings.set(path, reading);
    return reading;
  }

  /** The files of the skill that an import leads to; null where it leads to none of its modules. */
  importedFiles(importer: string, { level, module, names }: PythonImport): string[] | null {
    const base = level === 0 ? scriptsFolder : folderAbove(importer, level);
    if (base === null) return null;
    const files: string[] = [];
    let path = base;
    for (const [index, part] of (module === "" ? [] : module.split(".")).entries()) {
      path += `/${part}`;
      if (!this.#addModule(path, files) && index === 0) return null;
    }
    for (const { name } of names ?? []) this.#addModule(`${path}/${name}`, files);
    return files;
  }

  /** Whether there is a module at a path: a file, a package, a folder of modules, or one that was compiled. */
  #addModule(path: string, files: string[]): boolean {
    if (!modulePath.test(path)) return false;
    const found = [`${path}.py`, `${path}/__init__.py`].filter((file) => this.#folder.has(file));
    files.push(...found);
    if (found.length > 0 || this.#folder.names(path).length > 0) return true;
    const at = path.lastIndexOf("/");
    const beginning = `${path.slice(at + 1)}.`;
    return this.#folder
      .names(path.slice(0, at))
      .some((name) => name.startsWith(beginning) && /\.(?:so|pyd)$/.test(name));
  }

  async #readAnew(path: string): Promise<ScriptReading> {
    if (!this.#folder.has(path))
      return { state: "problem", problem: this.#folder.problemWith(path) ?? "missing" };
    const read = this.#folder.bytes(path, longestScript);
    if (!read.ok) return read.problem === "too large" ? unread : { state: "problem", problem: read.problem };
    const text = decodePython(read.bytes);
    if (text === null) return { state: "problem", problem: "not UTF-8" };
    if (text.length > this.#left) return unread;
    this.#left -= text.length;
    const reading = await readPython(text, this.#recoveryBudget);
    if (reading.state === "read" && !reading.module.isWhole) this.#recoveryBudget -= text.length;
    return reading;
  }
}

const unread = { state: "unread" } as const;
const modulePath = /^[\p{L}\p{N}\p{M}\p{Pc}/]{1,1000}$/u;

/** The folder that this many leading dots refer to in a file; null if it is outside the scripts. */
function folderAbove(file: string, level: number): string | null {
  const steps = file.split("/");
  return level < steps.length ? steps.slice(0, steps.length - level).join("/") : null;
}
