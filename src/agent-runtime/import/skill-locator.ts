import { posix } from "node:path";
import type { SkillFolder } from "./trace.ts";

/** A file of a skill that a trace names. */
export interface SkillFile {
  skill: string;
  /** Relative to the folder of the skill. */
  path: string;
  /** By the shape of its path alone: the folder of the skill is unknown. */
  inferred: boolean;
}

const maxPathLength = 4096;

/** Recognizes files of skills by known folders, and by the shape `…/skills/<name>/…`. */
export class SkillLocator {
  readonly #folders: readonly SkillFolder[];
  readonly #cwd: string;

  constructor(folders: readonly SkillFolder[], cwd: string | null) {
    this.#folders = folders.map(({ name, dir }) => ({ name, dir: tidy(dir) }));
    this.#cwd = cwd === null ? "" : tidy(cwd);
  }

  /** `from` is where a relative path begins; else it is where the agent worked. */
  locate(path: string, from: string = this.#cwd): SkillFile | null {
    if (path === "" || path.length > maxPathLength) return null;
    const named = /^skill:([^/]+)\/(.+)$/s.exec(path);
    if (named !== null) return { skill: named[1] ?? "", path: named[2] ?? "", inferred: false };
    const whole = this.absolute(path, from);
    for (const { name, dir } of this.#folders)
      if (whole.startsWith(`${dir}/`))
        return { skill: name, path: whole.slice(dir.length + 1), inferred: false };
    const parts = whole.split("/");
    const at = parts.lastIndexOf("skills", parts.length - 3);
    const name = at === -1 ? "" : (parts[at + 1] ?? "");
    return name === "" || name.startsWith(".")
      ? null
      : { skill: name, path: parts.slice(at + 2).join("/"), inferred: true };
  }

  absolute(path: string, from: string = this.#cwd): string {
    const plain = path.replaceAll("\\", "/");
    return tidy(isAbsolute(plain) || from === "" ? plain : `${from}/${plain}`);
  }
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || path.startsWith("~") || /^[A-Za-z]:/.test(path);
}

function tidy(path: string): string {
  const plain = posix.normalize(path.replaceAll("\\", "/"));
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}
