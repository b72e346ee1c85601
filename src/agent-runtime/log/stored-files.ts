import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptText } from "../../contract/agent-log.ts";
import { makeFolder } from "../../shared/files/make-folder.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { unwritable } from "../../shared/user-error.ts";

/** Files beside a log, in a folder of the run directory that is made when the first is kept. */
export class StoredFiles {
  readonly #dir: string;
  readonly #folder: string;
  readonly #names = new Set<string>();

  constructor(dir: string, folder: string) {
    this.#dir = dir;
    this.#folder = folder;
  }

  /** Two texts of one name are two files: nothing that an event refers to is ever written again. */
  keep(name: string, content: string | Uint8Array): KeptText {
    const ref = `${this.#folder}/${this.#freeName(name)}`;
    const path = join(this.#dir, ref);
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    try {
      if (this.#names.size === 1) makeFolder(join(this.#dir, this.#folder));
      writeFileSync(path, bytes, { flag: "wx" });
    } catch (error) {
      throw unwritable(path, error);
    }
    return { ref, sha256: sha256(bytes), bytes: bytes.length };
  }

  #freeName(preferred: string): string {
    const name = safeName(preferred);
    for (let n = 1; ; n++) {
      const free = n === 1 ? `${name}.txt` : `${name}-${n}.txt`;
      // Some file systems take capitals for small letters.
      if (this.#names.has(free.toLowerCase())) continue;
      this.#names.add(free.toLowerCase());
      return free;
    }
  }
}

/** Of letters, digits and `._-`, without the suffix that every file gets, never hidden, never too long for a file system. */
function safeName(name: string): string {
  const plain = name
    .replace(/\.txt$/, "")
    .replaceAll(/[^A-Za-z0-9._-]/g, "_")
    .slice(0, 100);
  return plain === "" || plain.startsWith(".") ? `_${plain}` : plain;
}
