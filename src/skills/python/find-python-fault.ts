/** A reason why no Python reads a file. */
export interface PythonFault {
  line: number;
  problem: string;
}

/**
 * The first fault that is one in every version of Python: brackets and strings that do not close, lines that are not
 * indented as their neighbours demand. Anything else is accepted, so that new syntax is not reported.
 */
export function findPythonFault(source: string): PythonFault | null {
  const nul = source.indexOf("\0");
  if (nul !== -1) return { line: source.slice(0, nul).split("\n").length, problem: "NUL character" };
  return new Scan(source).run();
}

/** What is open at a position: a bracket, a string with replacement fields, or the format behind the `:` of such a field. */
type Frame =
  | { type: "bracket"; sign: string; line: number; isField: boolean }
  | { type: "text"; quote: string; isRaw: boolean; line: number }
  | { type: "format" };

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const signs = ":()[]{}";
const word = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const stringPrefix = /^[rbuft]{1,3}$/i;
const plainCode = /[^\n#'"\\()[\]{}:\p{L}\p{Nl}_]+/uy;

class Scan {
  readonly #source: string;
  readonly #open: Frame[] = [];
  #at = 0;
  #line = 1;
  #fault: PythonFault | null = null;
  /** Columns at which the blocks around this line begin. */
  readonly #indents = [0];
  #isLineStart = true;
  /** The last sign of the line so far that is neither space nor comment. */
  #lastSign = "";

  constructor(source: string) {
    this.#source = source;
  }

  run(): PythonFault | null {
    while (this.#fault === null && this.#at < this.#source.length) this.#step();
    return this.#fault ?? this.#faultAtEnd();
  }

  #step(): void {
    const top = this.#open.at(-1);
    if (top?.type === "text") this.#textStep(top);
    else if (top?.type === "format") this.#formatStep();
    else if (this.#isLineStart && top === undefined) this.#indentation();
    else this.#codeStep(top);
  }

  #codeStep(top: (Frame & { type: "bracket" }) | undefined): void {
    const written = this.#match(word);
    if (written !== "") this.#lastSign = "a";
    const sign = this.#source[this.#at] ?? "";
    if (sign === "'" || sign === '"') {
      // Any other word before a quote is not a prefix, as in `x if"a"`.
      this.#string(stringPrefix.test(written) ? written.toLowerCase() : "");
    } else if (written === "") this.#signStep(sign, top);
  }

  #signStep(sign: string, top: (Frame & { type: "bracket" }) | undefined): void {
    if (sign === "#") this.#skipComment();
    else if (sign === "\n") this.#newLine(top !== undefined);
    else if (sign === "\\") this.#backslash();
    else if (signs.includes(sign)) {
      this.#lastSign = sign;
      this.#at++;
      if (sign === ":" && top?.isField) this.#open.push({ type: "format" });
      else if (sign in closing) this.#open.push({ type: "bracket", sign, line: this.#line, isField: false });
      else if (sign !== ":") this.#close(sign, top);
    } else if (this.#match(plainCode).trim() !== "") this.#lastSign = "+";
  }

  #close(sign: string, top: (Frame & { type: "bracket" }) | undefined): void {
    if (top === undefined) this.#report(this.#line, `unmatched ${sign}`);
    else if (closing[top.sign] !== sign)
      this.#report(this.#line, `${sign} does not match the ${top.sign} of line ${top.line}`);
    this.#open.pop();
  }

  #backslash(): void {
    if (this.#source[this.#at + 1] !== "\n") this.#report(this.#line, "backslash not followed by a line end");
    this.#at += 2;
    this.#line++;
  }

  #newLine(isInsideBrackets: boolean): void {
    this.#at++;
    this.#line++;
    if (!isInsideBrackets) this.#isLineStart = true;
  }

  /** Checks the indentation of a line that begins a statement. */
  #indentation(): void {
    let column = 0;
    for (; ; this.#at++) {
      const sign = this.#source[this.#at];
      if (sign === " ") column++;
      else if (sign === "\t") column += 8 - (column % 8);
      else if (sign === "\f") column = 0;
      else break;
    }
    const sign = this.#source[this.#at];
    if (sign === "#") this.#skipComment();
    if (sign === undefined || sign === "\n" || sign === "#") {
      if (this.#at < this.#source.length) this.#newLine(false);
      return;
    }
    this.#isLineStart = false;
    const opensBlock = this.#lastSign === ":";
    this.#lastSign = "";
    if (column > (this.#indents.at(-1) ?? 0)) {
      this.#indents.push(column);
      if (!opensBlock) this.#report(this.#line, "unexpected indent");
      return;
    }
    if (opensBlock) this.#report(this.#line, "expected an indented block");
    while (column < (this.#indents.at(-1) ?? 0)) this.#indents.pop();
    if (column !== this.#indents.at(-1)) this.#report(this.#line, "unindent does not match any outer level");
  }

  /** A string from its first quote on; one with replacement fields stays open, as code may follow. */
  #string(prefix: string): void {
    const sign = this.#source[this.#at] ?? "";
    const quote = this.#source.startsWith(sign.repeat(3), this.#at) ? sign.repeat(3) : sign;
    this.#at += quote.length;
    const frame = { type: "text", quote, isRaw: prefix.includes("r"), line: this.#line } as const;
    if (/[ft]/.test(prefix)) this.#open.push(frame);
    else while (this.#fault === null && !this.#endsText(frame)) this.#textSign(frame);
  }

  #textStep(frame: Frame & { type: "text" }): void {
    const sign = this.#source[this.#at];
    const isDouble = this.#source[this.#at + 1] === sign;
    if (this.#endsText(frame)) this.#open.pop();
    else if (sign === "{" && !isDouble) {
      this.#open.push({ type: "bracket", sign, line: this.#line, isField: true });
      this.#at++;
    } else if (sign === "{") this.#at += 2;
    else if (!frame.isRaw && this.#source.startsWith("\\N{", this.#at)) this.#at += 3;
    else if (sign === "\\" && this.#source[this.#at + 1] === "{") this.#at++;
    else this.#textSign(frame);
  }

  #endsText({ quote }: { quote: string }): boolean {
    const ends = this.#source.startsWith(quote, this.#at);
    if (ends) {
      this.#at += quote.length;
      this.#lastSign = quote;
    }
    return ends;
  }

  #textSign({ quote, line }: { quote: string; line: number }): void {
    const sign = this.#source[this.#at];
    const isEnd = sign === undefined || (sign === "\n" && quote.length === 1);
    if (isEnd) this.#report(line, `${quote} is never closed`);
    const length = sign === "\\" ? 2 : 1;
    if (this.#source[this.#at + length - 1] === "\n") this.#line++;
    this.#at += length;
  }

  /** Only looks for the end of the format; quotes and line ends in it are handled by the caller. */
  #formatStep(): void {
    const sign = this.#source[this.#at];
    if (sign === "{") this.#open.push({ type: "bracket", sign, line: this.#line, isField: true });
    if (sign === "\n") this.#line++;
    if (sign === "}") this.#open.splice(-2);
    this.#at++;
  }

  #faultAtEnd(): PythonFault | null {
    const open = this.#open.findLast((frame) => frame.type !== "format");
    if (open !== undefined)
      return { line: open.line, problem: `${open.type === "text" ? open.quote : open.sign} is never closed` };
    return this.#lastSign === ":" ? { line: this.#line, problem: "expected an indented block" } : null;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #skipComment(): void {
    const at = this.#source.indexOf("\n", this.#at);
    this.#at = at === -1 ? this.#source.length : at;
  }

  #report(line: number, problem: string): void {
    this.#fault ??= { line, problem };
  }
}
