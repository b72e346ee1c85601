import {
  type FileBytes,
  type FileProblem,
  type FileText,
  SkillFolder,
} from "../../skills/folder/skill-folder.ts";

/** The folder of a skill as it would be with some of its files changed or renamed. Nothing is written. */
export class FixedFolder extends SkillFolder {
  readonly #disk: SkillFolder;
  /** New content by the name on disk. */
  readonly #contents: ReadonlyMap<string, string>;
  /** New names by the name on disk. */
  readonly #renamed: ReadonlyMap<string, string>;

  constructor(
    disk: SkillFolder,
    contents: ReadonlyMap<string, string> = new Map(),
    renamed: ReadonlyMap<string, string> = new Map(),
  ) {
    super(disk.dir, disk.manifestName);
    this.#disk = disk;
    this.#contents = contents;
    this.#renamed = renamed;
  }

  /** The same with one change more. */
  with(file: string, text: string, newFile: string): FixedFolder {
    const onDisk = this.onDisk(file) ?? file;
    const renamed = newFile === file ? this.#renamed : new Map(this.#renamed).set(onDisk, newFile);
    return new FixedFolder(this.#disk, new Map(this.#contents).set(onDisk, text), renamed);
  }

  /** What a file is called on disk; null if it was renamed. */
  onDisk(file: string): string | null {
    for (const [old, today] of this.#renamed) if (today === file) return old;
    return this.#renamed.has(file) ? null : file;
  }

  /** The whole text of a file, byte order mark included; null where it cannot be read as text. */
  whole(file: string): string | null {
    const read = this.bytes(file, longestText);
    if (!read.ok) return null;
    const text = read.bytes.toString("utf8");
    // UTF-16 text can be valid UTF-8 too, with a NUL beside each letter.
    return Buffer.from(text).equals(read.bytes) && !text.includes("\0") ? text : null;
  }

  override names(path = ""): readonly string[] {
    const names = this.#disk.names(path);
    return path === "" ? names.map((name) => this.#renamed.get(name) ?? name).sort() : names;
  }

  override has(file: string): boolean {
    const onDisk = this.onDisk(file);
    return onDisk !== null && this.#disk.has(onDisk);
  }

  override problemWith(file: string): FileProblem | null {
    const onDisk = this.onDisk(file);
    return onDisk === null ? "missing" : this.#disk.problemWith(onDisk);
  }

  override text(file: string): FileText {
    const onDisk = this.onDisk(file);
    if (onDisk === null) return { ok: false, problem: "missing" };
    const text = this.#contents.get(onDisk);
    return text === undefined ? this.#disk.text(onDisk) : { ok: true, text: text.replace(/^\ufeff/, "") };
  }

  override bytes(file: string, capBytes: number): FileBytes {
    const onDisk = this.onDisk(file);
    if (onDisk === null) return { ok: false, problem: "missing" };
    const text = this.#contents.get(onDisk);
    return text === undefined ? this.#disk.bytes(onDisk, capBytes) : { ok: true, bytes: Buffer.from(text) };
  }
}

const longestText = 4 * 1024 * 1024;
