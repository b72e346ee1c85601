const newline = 0x0a;

/** Cuts a byte stream into lines, however the bytes arrive, and never holds more than the cap. */
export class LineReader {
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Bytes since the last reset: what one call has written. */
  bytesSeen = 0;
  readonly #capBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onFlood: () => void;

  constructor(capBytes: number, onLine: (line: Buffer) => void, onFlood: () => void) {
    this.#capBytes = capBytes;
    this.#onLine = onLine;
    this.#onFlood = onFlood;
  }

  take(chunk: Buffer): void {
    const room = Math.max(0, this.#capBytes - this.bytesSeen);
    this.bytesSeen += chunk.length;
    // What came before the cap still counts: the answer may be in there, and only then the flood.
    this.#cut(chunk.subarray(0, room));
    if (this.bytesSeen <= this.#capBytes) return;
    this.#drop();
    this.#onFlood();
  }

  #cut(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#onLine(this.#join(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) {
      this.#held.push(chunk.subarray(start));
      this.#heldBytes += chunk.length - start;
    }
  }

  /** The stream is over: what is left is a line too. */
  end(): void {
    if (this.#heldBytes > 0) this.#onLine(this.#join(Buffer.alloc(0)));
  }

  /** A new call begins; its answer has the whole cap for itself. */
  reset(): void {
    this.bytesSeen = this.#heldBytes;
  }

  #join(tail: Buffer): Buffer {
    if (this.#held.length === 0) return tail;
    const line = Buffer.concat([...this.#held, tail]);
    this.#drop();
    return line;
  }

  #drop(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }
}
