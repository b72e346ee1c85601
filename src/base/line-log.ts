import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { afterThisTurn, failingForGood, Gather } from "./gather.ts";
import { writeFully } from "./whole-file.ts";

/** How a log reaches the disk; a test puts a failing one here. */
export interface LineDisk {
  write(file: number, bytes: Uint8Array): void;
  sync(file: number, done: (error: Error | null) => void): void;
}

const realDisk: LineDisk = { write: writeFully, sync: fdatasync };

/** A file of lines that is only ever added to. A line is told written when it is on the disk; a crash loses at most a torn tail. */
export class LineLog {
  readonly path: string;
  readonly droppedBytes: number;
  readonly #file: number;
  readonly #disk: LineDisk;
  readonly #lines: Gather<string>;
  #isClosed = false;

  /** Opens the log and cuts off what an earlier crash left half-written; `droppedBytes` says how much that was. */
  constructor(path: string, disk: LineDisk = realDisk) {
    this.path = path;
    this.#disk = disk;
    this.#file = openSync(path, "a+");
    this.droppedBytes = cutTornTail(this.#file);
    this.#lines = new Gather(
      failingForGood((lines) => this.#write(lines)),
      afterThisTurn,
    );
  }

  append(line: string): Promise<void> {
    return this.#lines.add(line);
  }

  /** Writes now instead of in a moment. */
  flush(): void {
    this.#lines.flush();
  }

  async close(): Promise<void> {
    await this.#lines.drained();
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (this.#isClosed) throw new Error(`${this.path} is closed`);
    this.#writeOrCut(Buffer.from(lines.map((line) => `${line}\n`).join("")));
    await new Promise<void>((done, failed) => {
      this.#disk.sync(this.#file, (error) => (error === null ? done() : failed(error)));
    });
  }

  #writeOrCut(bytes: Uint8Array): void {
    const { size } = fstatSync(this.#file);
    try {
      this.#disk.write(this.#file, bytes);
    } catch (error) {
      ftruncateSync(this.#file, size); // part of a line may have gone in; the log must end at a newline
      throw error;
    }
  }
}

/** Cuts the file back to its last newline and returns how many bytes that took. */
function cutTornTail(file: number): number {
  const { size } = fstatSync(file);
  const window = Buffer.alloc(65_536);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - window.length);
    const count = readSync(file, window, 0, end - start, start);
    const newline = window.subarray(0, count).lastIndexOf(0x0a);
    if (newline !== -1) return cutTo(file, start + newline + 1, size);
    end = start;
  }
  return cutTo(file, 0, size);
}

function cutTo(file: number, length: number, size: number): number {
  if (length < size) ftruncateSync(file, length);
  return size - length;
}
