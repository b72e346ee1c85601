import type { JsonObject } from "../../shared/json/json.ts";
import { invalidUtf8, type JsonProblem, noObject, tooLong, truncated } from "./json-problem.ts";
import { ObjectReader } from "./object-reader.ts";
import { incomplete, invalid, Utf8Joiner } from "./utf8-joiner.ts";
import { pathTree, type WatchedPath } from "./watched-path.ts";

export interface JsonStreamOptions {
  /** UTF-16 units of the whole text, including what is around the object. */
  maxChars: number;
  maxDepth?: number;
  watch: readonly WatchedPath[];
}

export type JsonStreamEnd =
  | {
      ok: true;
      value: JsonObject;
      /** Whether something other than white space was around the object. */
      noise: { before: boolean; after: boolean };
      /** One sentence for each thing that was left out. */
      warnings: string[];
      chars: number;
    }
  | ({
      ok: false;
      /** The byte offset of a brace that begins no object and is never closed: an object may still follow it. */
      loneBrace: number | null;
    } & JsonProblem);

/**
 * Reads one JSON object out of chunks of bytes that may be cut anywhere, in one pass, and reports watched paths as it goes.
 * Stricter than `JSON.parse`: no duplicate keys, no infinite numbers, no lone surrogates, bounded depth and length.
 * Anything may surround the object, even balanced braces that hold none: the first valid object counts.
 */
export class JsonStream {
  readonly #maxChars: number;
  readonly #utf8 = new Utf8Joiner();
  readonly #reader: ObjectReader;
  #phase: Phase = before;
  /** The bytes of all chunks before this one. */
  #bytesBefore = 0;
  /** How many fewer UTF-16 units than bytes there were, those that the reader took itself left out. */
  #saved = 0;
  /** Where the current character begins, in UTF-16 units. */
  #offset = 0;

  /** Where the current candidate begins, in bytes, and whether it has what braces in prose do not have. */
  #candidate = { at: 0, isLikeObject: false };
  /** Whether the last character before the candidate is a quotation mark: one after its brace then need not begin a key. */
  #isAfterQuote = false;
  /** Of a candidate that failed: its open braces, and whether we are in one of its strings. */
  #passed = { braces: 0, isQuoted: false, isEscaped: false };
  #noise = { before: false, after: false };
  #hasFurtherBrace = false;
  /** The last characters outside of an object: a tag of thoughts may be among them. */
  #tag = "";
  /** Why a candidate failed. Of several the first that looked like an object, for that was meant. */
  #problem: (JsonProblem & { isOfProse: boolean }) | null = null;
  /** What no later candidate can make good. */
  #fatal: JsonProblem | null = null;

  constructor({ maxChars, maxDepth = 64, watch }: JsonStreamOptions) {
    this.#maxChars = maxChars;
    this.#reader = new ObjectReader(pathTree(watch), maxDepth);
  }

  write(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#fatal === null) {
      // So many bytes cannot be more units than there is room for, but for the first byte of a pair, which completes nothing.
      const room = this.#maxChars - this.#charsUpTo(at);
      if (room < 0 || (room === 0 && !isContinuation(bytes[at] as number))) {
        this.#fatal = tooLong(this.#maxChars);
        break;
      }
      const to = Math.min(bytes.length, at + Math.max(room, 1));
      this.#read(bytes, at, to);
      at = to;
    }
    this.#bytesBefore += bytes.length;
    this.#reader.emitNew();
  }

  end(): JsonStreamEnd {
    const chars = this.#charsUpTo(0);
    if (chars > this.#maxChars) this.#fatal ??= tooLong(this.#maxChars);
    if (this.#utf8.missing > 0 && this.#phase !== inside) this.#fatal ??= invalidUtf8(this.#offset);
    if (this.#fatal !== null) return { ok: false, ...this.#fatal, loneBrace: null };
    if (this.#phase === after)
      return {
        ok: true,
        value: this.#reader.value,
        noise: this.#noise,
        warnings: this.#warnings(),
        chars,
      };
    if (this.#phase === inside) this.#note(truncated(chars));
    const { code, problem } = this.#problem ?? noObject;
    const isLone = this.#phase === passing && !this.#candidate.isLikeObject;
    return { ok: false, code, problem, loneBrace: isLone ? this.#candidate.at : null };
  }

  #charsUpTo(at: number): number {
    return this.#bytesBefore + at - this.#saved - this.#reader.saved;
  }

  /** Decodes bytes to characters, except the plain ones in a string, which are the majority. */
  #read(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const isWhole = this.#utf8.missing === 0;
      if (isWhole && this.#phase === inside && this.#reader.isInText) {
        at = this.#reader.takePlain(bytes, at, to);
        if (at === to) return;
      }
      if (isWhole) this.#offset = this.#charsUpTo(at);
      const byte = bytes[at] as number;
      const code = byte < 0x80 && isWhole ? byte : this.#join(byte);
      if (code === incomplete) continue;
      if (code === invalid) {
        this.#fatal = invalidUtf8(this.#offset);
        return;
      }
      this.#take(code, at);
    }
  }

  #join(byte: number): number {
    if (byte >= 0xf0) this.#saved--;
    else if (isContinuation(byte)) this.#saved++;
    return this.#utf8.join(byte);
  }

  #take(code: number, at: number): void {
    if (this.#phase === inside) this.#step(code);
    else if (this.#phase === passing) this.#pass(code);
    else if (this.#phase === thinking) this.#think(code);
    else if (this.#phase === before) this.#search(code, at);
    else if (!isWhite(code)) {
      this.#noise.after = true;
      if (code === openBrace) this.#hasFurtherBrace = true;
      // The object was a thought whose beginning the model left out.
      if (this.#endsTag(code, closingTags)) this.#think(code);
    }
  }

  /** What a model thinks is no reply, whatever it looks like. */
  #think(code: number): void {
    if (this.#phase !== after && !this.#endsTag(code, closingTags)) return;
    this.#phase = before;
    this.#noise = { before: true, after: false };
    this.#hasFurtherBrace = false;
  }

  #endsTag(code: number, tags: readonly string[]): boolean {
    this.#tag = code === openAngle ? "<" : this.#tag === "" ? "" : this.#tag + String.fromCodePoint(code);
    if (this.#tag.length > longestTag) this.#tag = "";
    if (!tags.includes(this.#tag.toLowerCase())) return false;
    this.#tag = "";
    return true;
  }

  #search(code: number, at: number): void {
    if (code === openBrace) {
      this.#candidate = { at: this.#bytesBefore + at, isLikeObject: false };
      this.#reader.begin();
      this.#phase = inside;
      return;
    }
    this.#isAfterQuote = code === quote;
    if (isWhite(code)) return;
    this.#noise.before = true;
    if (this.#endsTag(code, openingTags)) this.#phase = thinking;
  }

  #step(code: number): void {
    const problem = this.#reader.step(code, this.#offset);
    if (problem !== null) this.#giveUp(problem, code);
    else if (this.#reader.isDone) this.#phase = after;
    else if (code === colon || (code === quote && !this.#isAfterQuote)) this.#candidate.isLikeObject = true;
  }

  /** The character at which a candidate fails may be a brace or a quotation mark: it is looked at again. */
  #giveUp(problem: JsonProblem, code: number): void {
    this.#note(problem);
    const { openObjects: braces, isInString: isQuoted } = this.#reader;
    this.#passed = { braces, isQuoted, isEscaped: false };
    this.#reader.abandon();
    this.#noise.before = true;
    this.#phase = passing;
    this.#pass(code);
  }

  #note(problem: JsonProblem): void {
    const isOfProse = !this.#candidate.isLikeObject;
    if (this.#problem === null || (this.#problem.isOfProse && !isOfProse))
      this.#problem = { ...problem, isOfProse };
  }

  /** Looks for the brace that closes a candidate that failed. */
  #pass(code: number): void {
    const passed = this.#passed;
    if (passed.isEscaped) passed.isEscaped = false;
    else if (passed.isQuoted && code === backslash) passed.isEscaped = true;
    else if (code === quote) passed.isQuoted = !passed.isQuoted;
    else if (passed.isQuoted) return;
    else if (code === openBrace) passed.braces++;
    else if (code === closeBrace && --passed.braces === 0) this.#phase = before;
  }

  #warnings(): string[] {
    const { before, after } = this.#noise;
    const failed = this.#problem && `ignored text that is not a JSON object: ${this.#problem.problem}`;
    return [
      failed ?? (before ? "ignored text before the object" : []),
      this.#hasFurtherBrace
        ? "ignored text after the first object, possibly another object"
        : after
          ? "ignored text after the object"
          : [],
    ].flat();
  }
}

type Phase = number;
const before: Phase = 0;
const inside: Phase = 1;
const passing: Phase = 2;
const after: Phase = 3;
/** Between the tags of a model that thinks aloud. */
const thinking: Phase = 4;

const openingTags = ["<think>", "<thinking>"];
const closingTags = ["</think>", "</thinking>"];
const longestTag = 11;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openAngle = 0x3c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** What `trim` takes away, a byte order mark included. */
function isWhite(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x80 && isWhiteText(code));
}

function isWhiteText(code: number): boolean {
  return String.fromCodePoint(code).trim() === "";
}
