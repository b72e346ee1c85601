import { fstatSync, readSync, statSync } from "node:fs";
import { afterThisTurn, failingForGood, Gather } from "../async/gather.ts";
import { closeSynced, type Disk, realDisk, writeFully } from "./disk.ts";

/** A file of lines that is only ever added to. A line counts as written when it is on the disk; a crash loses at most a torn tail. */
export class LineLog {
  readonly path: string;
  readonly droppedBytes: number;
  readonly #file: number;
  readonly #disk: Disk;
  readonly #lines: Gather<string>;
  #isClosed = false;

  /** Opens the log and cuts off what an earlier crash left half-written; `droppedBytes` says how much that was. */
  constructor(path: string, disk: Disk = realDisk) {
    this.path = path;
    this.#disk = disk;
    this.#file = disk.open(path, "a+");
    try {
      this.droppedBytes = cutTornTail(this.#file, disk);
    } catch (error) {
      closeSynced(this.#file, disk);
      throw error;
    }
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
    closeSynced(this.#file, this.#disk);
  }

  async #write(lines: readonly string[]): Promise<void> {
    if (this.#isClosed) throw new Error(`${this.path} is closed`);
    this.#writeOrCut(Buffer.from(lines.map((line) => `${line}\n`).join("")));
    await new Promise<void>((done, failed) => {
      this.#disk.syncContent(this.#file, (error) => (error === null ? done() : failed(error)));
    });
    this.#refuseVanished();
  }

  #writeOrCut(bytes: Uint8Array): void {
    try {
      writeFully(this.#file, bytes, this.#disk);
    } catch (error) {
      // Part of a line may have gone in; the log must end at a newline. Not at its old end: others may write to it too.
      try {
        cutTornTail(this.#file, this.#disk);
      } catch {
        // Readers drop a torn tail, and the next to open the log cuts it off; the first error is the one to report.
      }
      throw error;
    }
  }

  /** Lines go on into a file that was deleted under us: nothing of them would ever be found again. */
  #refuseVanished(): void {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found !== undefined && found.ino === fstatSync(this.#file).ino) return;
    throw new Error("it was deleted while it was being written");
  }
}

/** Cuts the file back to its last newline and returns how many bytes that took. */
function cutTornTail(file: number, disk: Disk): number {
  const { size } = fstatSync(file);
  const window = Buffer.alloc(65_536);
  let length = 0;
  for (let end = size; end > 0 && length === 0; ) {
    const start = Math.max(0, end - window.length);
    const count = readSync(file, window, 0, end - start, start);
    const newline = window.subarray(0, count).lastIndexOf(0x0a);
    if (newline !== -1) length = start + newline + 1;
    end = start;
  }
  if (length < size) disk.truncate(file, length);
  return size - length;
}
