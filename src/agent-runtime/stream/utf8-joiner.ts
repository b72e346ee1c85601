/** What `join` returns while the character is incomplete. */
export const incomplete = -1;
/** What `join` returns for an invalid byte. */
export const invalid = -2;

/** Joins UTF-8 bytes into code points one byte at a time, so that a character may be cut between chunks. */
export class Utf8Joiner {
  /** How many bytes the character that was begun still lacks. */
  missing = 0;
  #code = 0;
  #lowest = 0x80;
  #highest = 0xbf;

  /** Takes a byte above 0x7f, and gives the code point that it completes. */
  join(byte: number): number {
    if (this.missing === 0) return this.#begin(byte);
    if (byte < this.#lowest || byte > this.#highest) return invalid;
    this.#lowest = 0x80;
    this.#highest = 0xbf;
    this.#code = (this.#code << 6) | (byte & 0x3f);
    return --this.missing === 0 ? this.#code : incomplete;
  }

  /** The second byte is bounded where it could spell a short character at length, a surrogate, or more than U+10FFFF. */
  #begin(byte: number): number {
    if (byte < 0xc2 || byte > 0xf4) return invalid;
    if (byte < 0xe0) {
      this.missing = 1;
      this.#code = byte & 0x1f;
    } else if (byte < 0xf0) {
      this.missing = 2;
      this.#code = byte & 0x0f;
      if (byte === 0xe0) this.#lowest = 0xa0;
      else if (byte === 0xed) this.#highest = 0x9f;
    } else {
      this.missing = 3;
      this.#code = byte & 0x07;
      if (byte === 0xf0) this.#lowest = 0x90;
      else if (byte === 0xf4) this.#highest = 0x8f;
    }
    return incomplete;
  }
}
