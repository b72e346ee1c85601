/** Gathers the decoded text of one JSON string after the other, and makes a string of it only on request. */
export class StringText {
  /** How many fewer UTF-16 units than bytes `takePlain` has made in all. */
  saved = 0;
  #units = new Uint16Array(256);
  #length = 0;
  /** What `takeNew` has returned of the current string. */
  #taken = "";
  /** The first half of a surrogate pair, waiting for the second. */
  #half = 0;

  /**
   * Takes what most text is made of, and says where the first other byte is: plain ASCII, short escapes, and characters of
   * three bytes, each if all of it is there.
   */
  takePlain(bytes: Uint8Array, from: number, to: number): number {
    this.#makeRoom(to - from + 1);
    if (bytes[from] !== backslash) this.settle();
    const units = this.#units;
    let length = this.#length;
    let at = from;
    while (at < to) {
      const byte = bytes[at] as number;
      if (byte < 0x80) {
        if (byte === backslash) {
          const meaning = at + 1 < to ? (shortEscapes[bytes[at + 1] as number] ?? 0) : 0;
          if (meaning === 0) break;
          if (this.#half !== 0) units[length++] = this.#loneHalf();
          units[length++] = meaning;
          at += 2;
        } else {
          if (byte < 0x20 || byte === quote) break;
          units[length++] = byte;
          at++;
        }
      } else {
        // The leads 0xe0 and 0xed have rules of their own, which `Utf8Joiner` knows.
        if (byte <= 0xe0 || byte >= 0xf0 || byte === 0xed || at + 2 >= to) break;
        const second = bytes[at + 1] as number;
        const third = bytes[at + 2] as number;
        if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) break;
        units[length++] = ((byte & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
        at += 3;
        this.saved += 2;
      }
    }
    this.#length = length;
    return at;
  }

  addCharacter(code: number): void {
    this.#makeRoom(3);
    this.settle();
    if (code < 0x10000) this.#units[this.#length++] = code;
    else {
      this.#units[this.#length++] = 0xd800 + ((code - 0x10000) >> 10);
      this.#units[this.#length++] = 0xdc00 + (code & 0x3ff);
    }
  }

  /** Adds what `\uXXXX` says. A surrogate without its other half becomes U+FFFD. */
  addUnit(unit: number): void {
    if (unit < 0xd800 || unit > 0xdfff) this.addCharacter(unit);
    else if (unit < 0xdc00) {
      this.settle();
      this.#half = unit;
    } else if (this.#half === 0) this.addCharacter(replacement);
    else {
      const code = 0x10000 + ((this.#half - 0xd800) << 10) + (unit - 0xdc00);
      this.#half = 0;
      this.addCharacter(code);
    }
  }

  /** Nothing that could complete a surrogate pair comes any more. */
  settle(): void {
    if (this.#half === 0) return;
    this.#makeRoom(1);
    this.#units[this.#length++] = this.#loneHalf();
  }

  /** The text since the last time, in whole characters. */
  takeNew(): string {
    const text = decodeUnits(this.#units, this.#length);
    this.#length = 0;
    this.#taken += text;
    return text;
  }

  /** The whole string; the next one begins. */
  finish(): string {
    this.settle();
    this.takeNew();
    const text = this.#taken;
    this.clear();
    return text;
  }

  clear(): void {
    this.#length = 0;
    this.#taken = "";
    this.#half = 0;
  }

  #loneHalf(): number {
    this.#half = 0;
    return replacement;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#units.length) return;
    const larger = new Uint16Array(Math.max(needed, 2 * this.#units.length));
    larger.set(this.#units.subarray(0, this.#length));
    this.#units = larger;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const replacement = 0xfffd;

/** Below this a call out of JavaScript takes longer than it saves. */
const shortText = 24;

function decodeUnits(units: Uint16Array, length: number): string {
  if (length > shortText) return Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
  let text = "";
  let at = 0;
  for (; at + 8 <= length; at += 8)
    text += String.fromCharCode(
      units[at] as number,
      units[at + 1] as number,
      units[at + 2] as number,
      units[at + 3] as number,
      units[at + 4] as number,
      units[at + 5] as number,
      units[at + 6] as number,
      units[at + 7] as number,
    );
  for (; at + 4 <= length; at += 4)
    text += String.fromCharCode(
      units[at] as number,
      units[at + 1] as number,
      units[at + 2] as number,
      units[at + 3] as number,
    );
  for (; at < length; at++) text += String.fromCharCode(units[at] as number);
  return text;
}

/** What the letter after a backslash means, by code; 0 where it is not a two-character escape. */
export const shortEscapes: Uint8Array = new Uint8Array(128);

const meanings = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
for (const [letter, character] of Object.entries(meanings))
  shortEscapes[letter.charCodeAt(0)] = character.charCodeAt(0);
