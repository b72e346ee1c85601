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
const maxTextLength = 100_000;

/** Folders below `skills` that hold skills and are none. */
const groups: ReadonlySet<string> = new Set(["public", "private", "user", "project", "builtin", ".system"]);
const partsOfSkill: ReadonlySet<string> = new Set(["scripts", "references", "assets"]);

/** Recognizes files of skills by known folders, and by the shape `…/skills/<name>/…`. */
export class SkillLocator {
  readonly #folders: SkillFolder[];
  /** Folders that hold a SKILL.md, as paths of the trace show. */
  readonly #seen = new Map<string, string>();
  /** Skills that were chosen and lie nobody knows where. */
  readonly #unplaced = new Set<string>();
  readonly #cwd: string;

  constructor(folders: readonly SkillFolder[], cwd: string | null) {
    this.#folders = folders.map(({ name, dir }) => ({ name, dir: tidy(dir) }));
    this.#cwd = cwd === null ? "" : tidy(cwd);
  }

  /** Notes that a skill was chosen. Where nobody says where it lies, its name in a path may be its folder. */
  choose(name: string): void {
    const isPlaced =
      this.#folders.some((folder) => folder.name === name) || [...this.#seen.values()].includes(name);
    if (!isPlaced) this.#unplaced.add(name);
  }

  /** Whether a path that is of no known skill may be of one all the same. */
  mayBeOfSkill(path: string): boolean {
    return this.absolute(path)
      .split("/")
      .some((part) => this.#unplaced.has(part));
  }

  /** Learns the folders of skills from every SKILL.md that a text names: what it is called says where the skill lies. */
  learn(text: string): void {
    for (const [path] of text.slice(0, maxTextLength).matchAll(/[^\s"'`;|&<>()=]+\/SKILL\.md\b/gi)) {
      const dir = posix.dirname(this.absolute(path));
      if (dir.split("/").includes("skills")) this.#seen.set(dir, posix.basename(dir));
    }
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
    return this.#shaped(whole);
  }

  /** By the shape of its path alone. */
  #shaped(whole: string): SkillFile | null {
    const parts = whole.split("/");
    const at = parts.lastIndexOf("skills", parts.length - 3);
    if (at === -1) return null;
    for (let end = parts.length - 1; end > at + 1; end--) {
      const name = this.#seen.get(parts.slice(0, end).join("/"));
      if (name !== undefined) return { skill: name, path: parts.slice(end).join("/"), inferred: true };
    }
    // A folder of scripts, or SKILL.md, lies in the folder of its skill; a group of skills has neither.
    const inner = parts.findIndex((part, index) => index > at + 1 && partsOfSkill.has(part));
    const isGroup = groups.has(parts[at + 1] ?? "") && parts.length > at + 3;
    const own = /^skill\.md$/i.test(parts.at(-1) ?? "")
      ? parts.length - 2
      : isGroup
        ? inner > at + 2
          ? inner - 1
          : at + 2
        : at + 1;
    const name = parts[own] ?? "";
    return name === "" || name.startsWith(".")
      ? null
      : { skill: name, path: parts.slice(own + 1).join("/"), inferred: true };
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
