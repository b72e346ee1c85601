import { closeSync, fdatasync, ftruncateSync, openSync } from "node:fs";
import { writeFully } from "../base/disk.ts";
import { unwritable } from "../contract/user-error.ts";

/** A file that whole lines are added to by one writer. Each is with the system when `write` returns, on the disk after `synced`. */
export class EventFile {
  readonly #path: string;
  readonly #file: number;
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
    const bytes = Buffer.from(lines);
    try {
      writeFully(this.#file, bytes);
    } catch (error) {
      throw this.#giveUp(error);
    }
    this.#length += bytes.length;
  }

  /** One sync for all who wait; whoever wrote after it began waits for another. */
  async synced(): Promise<void> {
    const length = this.#length;
    while (this.#syncedLength < length) {
      this.#syncing ??= this.#sync();
      await this.#syncing;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#syncing?.catch(() => undefined);
    closeSync(this.#file);
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
      // readers drop a torn tail; the first error is the one to tell
    }
    return this.#failure;
  }
}
