import type { JsonObject } from "../../shared/json/json.ts";
import type { JsonProblem } from "./json-problem.ts";
import * as problems from "./json-problem.ts";
import { StringText, shortEscapes } from "./string-text.ts";
import { ValueBuilder } from "./value-builder.ts";
import type { PathNode } from "./watched-path.ts";

/** The grammar of JSON, one character after the other: reads an object from behind its first brace to its last. */
export class ObjectReader {
  readonly #maxDepth: number;
  readonly #text = new StringText();
  readonly #builder: ValueBuilder;
  #state: State = beforeFirstKey;
  /** The offset of the current character, and where the current number or key begins. */
  #offset = 0;
  #began = 0;
  #isKey = false;
  /** Of `\uXXXX`: how many digits are missing, and what they say so far. */
  #digitsMissing = 0;
  #unit = 0;
  #literal: Literal = literals.true;
  #matched = 0;

  constructor(tree: PathNode, maxDepth: number) {
    this.#maxDepth = maxDepth;
    this.#builder = new ValueBuilder(tree);
  }

  get isDone(): boolean {
    return this.#state === done;
  }

  get value(): JsonObject {
    return this.#builder.root;
  }

  /** Whether plain bytes may come now. */
  get isInText(): boolean {
    return this.#state === inString;
  }

  get isInString(): boolean {
    return this.#state === inString || this.#state === inEscape || this.#state === inDigits;
  }

  get openObjects(): number {
    return this.#builder.openObjects();
  }

  /** The first brace of an object was read. */
  begin(): void {
    this.#builder.open({});
    this.#state = beforeFirstKey;
  }

  /** Forgets an object that turned out to be invalid. */
  abandon(): void {
    this.emitNew();
    this.#text.clear();
    this.#builder.abandon();
  }

  /** How many fewer UTF-16 units than bytes `takePlain` has made in all. */
  get saved(): number {
    return this.#text.saved;
  }

  /** Takes plain characters of a string, and returns where the first other byte is. */
  takePlain(bytes: Uint8Array, from: number, to: number): number {
    return this.#text.takePlain(bytes, from, to);
  }

  /** Reports the new part of a watched string. */
  emitNew(): void {
    if (!this.#builder.isWatched) return;
    const text = this.#text.takeNew();
    if (text !== "") this.#builder.emitPart(text);
  }

  /** Takes a character, or returns why it is invalid there. */
  step(code: number, offset: number): JsonProblem | null {
    this.#offset = offset;
    switch (this.#state) {
      case inString:
        return this.#inString(code);
      case inEscape:
        return this.#inEscape(code);
      case inDigits:
        return this.#inDigits(code);
      case inLiteral:
        return this.#inLiteral(code);
      case inNumber:
        return this.#inNumber(code);
      default:
        return isSpace(code) ? null : this.#betweenTokens(code);
    }
  }

  #betweenTokens(code: number): JsonProblem | null {
    switch (this.#state) {
      case beforeFirstKey:
        if (code === closeBrace) return this.#close();
        return code === quote ? this.#beginKey() : this.#misplaced(code, "a key in double quotes or }");
      case beforeKey:
        return code === quote ? this.#beginKey() : this.#misplaced(code, "a key in double quotes");
      case beforeColon:
        return code === colon ? this.#become(beforeValue) : this.#misplaced(code, "a colon");
      case beforeFirstItem:
        return code === closeBracket ? this.#close() : this.#beginValue(code);
      case beforeValue:
        return this.#beginValue(code);
      default:
        return this.#afterValue(code);
    }
  }

  #beginKey(): null {
    this.#isKey = true;
    this.#began = this.#offset;
    return this.#become(inString);
  }

  #beginValue(code: number): JsonProblem | null {
    if (code === quote) {
      this.#isKey = false;
      this.#builder.beginString();
      return this.#become(inString);
    }
    if (code === openBrace || code === openBracket) {
      if (this.#builder.depth === this.#maxDepth) return problems.tooDeep(this.#maxDepth, this.#offset);
      this.#builder.open(code === openBrace ? {} : []);
      return this.#become(code === openBrace ? beforeFirstKey : beforeFirstItem);
    }
    if (code === minus || isDigit(code)) {
      this.#began = this.#offset;
      this.#text.addCharacter(code);
      return this.#become(inNumber);
    }
    const literal = Object.values(literals).find(({ text }) => text.charCodeAt(0) === code);
    if (literal === undefined) return this.#misplaced(code, "a value");
    this.#literal = literal;
    this.#matched = 1;
    return this.#become(inLiteral);
  }

  #afterValue(code: number): JsonProblem | null {
    const { isInArray } = this.#builder;
    if (code === comma) return this.#become(isInArray ? beforeValue : beforeKey);
    if (code === (isInArray ? closeBracket : closeBrace)) return this.#close();
    return this.#misplaced(code, isInArray ? "a comma or ]" : "a comma or }");
  }

  #close(): null {
    this.#builder.close();
    return this.#become(this.#builder.depth === 0 ? done : afterValue);
  }

  #inString(code: number): JsonProblem | null {
    if (code === backslash) return this.#become(inEscape);
    if (code === quote) return this.#isKey ? this.#endKey() : this.#endString();
    if (code < 0x20) return problems.controlCharacter(code, this.#offset);
    this.#text.addCharacter(code);
    return null;
  }

  #endKey(): JsonProblem | null {
    const key = this.#text.finish();
    if (!this.#builder.beginMember(key)) return problems.duplicateKey(key, this.#began);
    return this.#become(beforeColon);
  }

  #endString(): null {
    this.#text.settle();
    this.emitNew();
    this.#builder.endString(this.#text.finish());
    return this.#become(afterValue);
  }

  #inEscape(code: number): JsonProblem | null {
    if (code === letterU) {
      this.#digitsMissing = 4;
      this.#unit = 0;
      return this.#become(inDigits);
    }
    const character = shortEscapes[code] ?? 0;
    if (character === 0) return problems.badEscape(code, this.#offset);
    this.#text.addCharacter(character);
    return this.#become(inString);
  }

  #inDigits(code: number): JsonProblem | null {
    const digit = hexDigit(code);
    if (digit === -1) return problems.badEscape(code, this.#offset);
    this.#unit = this.#unit * 16 + digit;
    if (--this.#digitsMissing > 0) return null;
    this.#text.addUnit(this.#unit);
    return this.#become(inString);
  }

  #inLiteral(code: number): JsonProblem | null {
    const { text, value } = this.#literal;
    if (text.charCodeAt(this.#matched) !== code) return problems.badLiteral(code, this.#offset);
    if (++this.#matched < text.length) return null;
    this.#builder.addScalar(value);
    return this.#become(afterValue);
  }

  /** Only the character after it ends a number. */
  #inNumber(code: number): JsonProblem | null {
    if (isOfNumber(code)) {
      this.#text.addCharacter(code);
      return null;
    }
    const text = this.#text.finish();
    const value = Number(text);
    if (!number.test(text) || !Number.isFinite(value)) return problems.badNumber(text, this.#began);
    this.#builder.addScalar(value);
    this.#become(afterValue);
    return this.step(code, this.#offset);
  }

  #misplaced(code: number, expected: string): JsonProblem {
    return problems.unexpectedCharacter(code, this.#offset, expected);
  }

  #become(state: State): null {
    this.#state = state;
    return null;
  }
}

type State = number;
const beforeFirstKey: State = 0;
const beforeKey: State = 1;
const beforeColon: State = 2;
const beforeValue: State = 3;
const beforeFirstItem: State = 4;
const afterValue: State = 5;
const inString: State = 6;
const inEscape: State = 7;
const inDigits: State = 8;
const inNumber: State = 9;
const inLiteral: State = 10;
const done: State = 11;

interface Literal {
  text: string;
  value: boolean | null;
}
const literals = {
  true: { text: "true", value: true },
  false: { text: "false", value: false },
  null: { text: "null", value: null },
} satisfies Record<string, Literal>;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const colon = 0x3a;
const comma = 0x2c;
const minus = 0x2d;
const letterU = 0x75;

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === minus || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
