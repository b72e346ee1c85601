import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { unwritable } from "../../shared/user-error.ts";

/** A small file that is written anew again and again, and believed by nobody: kept open, since opening costs more than writing. */
export class RewrittenFile {
  readonly #path: string;
  #file: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      this.#file ??= openSync(this.#path, "w");
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
