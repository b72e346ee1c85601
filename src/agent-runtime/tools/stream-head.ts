import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { textOrBase64 } from "../../shared/text/text-or-base64.ts";

/** Keeps the first bytes of a stream and reports once that there are more. */
export class StreamHead {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  /** Settles when nothing more will come. */
  readonly closed: Promise<void>;

  constructor(stream: Readable, capBytes: number, onOver: () => void) {
    this.closed = new Promise((resolve) => {
      if (stream.closed) resolve();
      else stream.once("close", resolve);
    });
    stream.on("data", (chunk: Buffer) => {
      const room = capBytes - this.#bytes;
      if (chunk.length <= room) this.#take(chunk);
      else if (!this.#isOver) {
        this.#isOver = true;
        this.#take(chunk.subarray(0, room));
        onOver();
      }
    });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** As text. What was broken off may end in the first half of a character, which is left out. */
  text(isBrokenOff: boolean): string {
    const bytes = this.bytes();
    if (!isBrokenOff || isUtf8(bytes)) return textOrBase64(bytes);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    } catch {
      return textOrBase64(bytes);
    }
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }
}
