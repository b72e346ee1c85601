import { closeSync, fdatasync, ftruncateSync, openSync } from "node:fs";
import { writeFully } from "../../shared/files/disk.ts";
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
  #syncedLength = 0;
  #syncing: Promise<void> | null = null;
  #failure: Error | null = null;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "ax");
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
  }

  /** A failure is reported to the next writer. */
  #flushLater(): void {
    this.#isFlushDue = false;
    try {
      this.#flush();
    } catch {
      // kept in `#failure`
    }
  }

  /** One sync for all who wait; whoever wrote after it began waits for another. */
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
