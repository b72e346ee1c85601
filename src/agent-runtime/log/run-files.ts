import { createHash } from "node:crypto";
import { closeSync, fdatasync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { StoredText } from "../../contract/agent-log.ts";
import { writeFully } from "../../shared/files/disk.ts";
import { makeFolder } from "../../shared/files/paths.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { unwritable } from "../../shared/user-error.ts";

/** Bytes of lines that may wait. */
const maxWaiting = 32_768;

/**
 * A file that whole lines are added to by one writer. They are with the system before anything else is done in this process, and
 * on the disk after `synced`: many lines come at once, and handing each over by itself costs more than making it.
 */
export class EventFile {
  readonly #path: string;
  readonly #file: number;
  #waiting = "";
  #isFlushDue = false;
  #length = 0;
  readonly #hash = createHash("sha256");
  #syncedLength = 0;
  #syncing: Promise<void> | null = null;
  #failure: Error | null = null;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "ax", 0o600);
  }

  write(lines: string): void {
    if (this.#failure !== null) throw this.#failure;
    this.#waiting += lines;
    if (this.#waiting.length > maxWaiting) this.#flush();
    else if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      setImmediate(() => this.#flushLater());
    }
  }

  #flush(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.#waiting === "" || this.#isClosed) return;
    const bytes = Buffer.from(this.#waiting);
    this.#waiting = "";
    try {
      writeFully(this.#file, bytes);
    } catch (error) {
      throw this.#giveUp(error);
    }
    this.#length += bytes.length;
    this.#hash.update(bytes);
  }

  /** `sha256:…` of all lines so far. */
  digest(): string {
    this.#flush();
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }

  /** A failure is reported to the next writer. */
  #flushLater(): void {
    this.#isFlushDue = false;
    try {
      this.#flush();
    } catch {
      // stored in `#failure`
    }
  }

  /** One sync for all waiting callers; a line written after it began needs another. */
  async synced(): Promise<void> {
    this.#flush();
    if (this.#isClosed) return;
    const length = this.#length;
    while (this.#syncedLength < length) {
      this.#syncing ??= this.#sync();
      await this.#syncing;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    try {
      this.#flush();
    } finally {
      this.#isClosed = true;
      await this.#syncing?.catch(() => undefined);
      closeSync(this.#file);
    }
  }

  async #sync(): Promise<void> {
    const length = this.#length;
    try {
      await new Promise<void>((done, failed) => {
        fdatasync(this.#file, (error) => (error === null ? done() : failed(error)));
      });
      this.#syncedLength = length;
    } catch (error) {
      throw this.#giveUp(error);
    } finally {
      this.#syncing = null;
    }
  }

  /** The log ends at its last whole line, and stays that way: what came after a gap would say something else. */
  #giveUp(error: unknown): Error {
    this.#failure = unwritable(this.#path, error);
    try {
      ftruncateSync(this.#file, this.#length);
    } catch {
      // readers drop a torn tail; the first error is the one to report
    }
    return this.#failure;
  }
}

/** A small file that is rewritten often and never relied on. It stays open, since opening costs more than writing. */
export class RewrittenFile {
  readonly #path: string;
  #file: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      this.#file ??= openSync(this.#path, "w", 0o600);
      writeSync(this.#file, bytes, 0, bytes.length, 0);
      ftruncateSync(this.#file, bytes.length);
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

/** Files beside a log, in a folder of the run directory that is created with the first of them. */
export class StoredFiles {
  readonly #dir: string;
  readonly #folder: string;
  readonly #names = new Set<string>();

  constructor(dir: string, folder: string) {
    this.#dir = dir;
    this.#folder = folder;
  }

  /** Two texts of one name are two files: nothing that an event refers to is ever written again. */
  keep(name: string, content: string | Uint8Array): StoredText {
    const ref = `${this.#folder}/${this.#freeName(name)}`;
    const path = join(this.#dir, ref);
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    try {
      if (this.#names.size === 1) makeFolder(join(this.#dir, this.#folder));
      writeFileSync(path, bytes, { flag: "wx", mode: 0o600 });
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
