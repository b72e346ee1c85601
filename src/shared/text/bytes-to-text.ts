import { isUtf8 } from "node:buffer";

/** Untrusted bytes as text; what is not text becomes base64, instead of being replaced silently. */
export function textOrBase64(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString("utf8") : `base64:${bytes.toString("base64")}`;
}

/** Keeps the last bytes of a stream that nobody may stop reading. */
export class StreamTail {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #isCut = false;
  readonly #capBytes: number;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#isCut ||= this.#bytes > this.#capBytes;
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) >= this.#capBytes) {
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
    }
  }

  clear(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#isCut = false;
  }

  /** The tail as text, with an ellipsis where something before it was dropped; bytes that are not text become base64 instead of being replaced. */
  text(): string {
    if (this.#bytes === 0) return "";
    const bytes = withoutCutCharacter(Buffer.concat(this.#chunks).subarray(-this.#capBytes));
    return `${this.#isCut ? "…" : ""}${textOrBase64(bytes)}`;
  }
}

/** The cap may have cut a character in two; its rest at the beginning is dropped. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < Math.min(3, bytes.length) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
