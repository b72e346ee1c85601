/** One simple command of a line for a shell. */
export interface ShellCommand {
  words: readonly string[];
  /** Files that it writes to by redirection. */
  writes: readonly string[];
  /** Whether every word is what it says: nothing is expanded, substituted or set for it. */
  isLiteral: boolean;
}

const maxLength = 65_536;

/**
 * The simple commands in a line for a shell: what is between `;`, `&&`, `|` and line ends. Good enough to see what is plainly run,
 * read and written; never enough to say that nothing else is. Bodies of here-documents and comments are left out.
 */
export function shellCommands(line: string): ShellCommand[] {
  return new ShellReader(withoutHereDocuments(line.slice(0, maxLength))).commands();
}

class ShellReader {
  readonly #text: string;
  #at = 0;
  #word: string | null = null;
  /** What the next word is: the target of a redirection. */
  #target: "write" | "other" | null = null;
  #words: string[] = [];
  #writes: string[] = [];
  #isLiteral = true;
  readonly #found: ShellCommand[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  commands(): ShellCommand[] {
    for (; this.#at < this.#text.length; this.#at++) this.#read(this.#text.charAt(this.#at));
    this.#endCommand();
    return this.#found;
  }

  #read(char: string): void {
    if (char === "'") this.#quoted(char);
    else if (char === '"') this.#quoted(char);
    else if (char === "\\") this.#escaped();
    else if (char === "#" && this.#word === null) this.#skipLine();
    else if (char === ">" || char === "<") this.#redirect(char);
    else if (char === "&" && this.#text.charAt(this.#at + 1) === ">") this.#endWord();
    else if (";&|\n()".includes(char)) this.#endCommand();
    else if (/\s/.test(char)) this.#endWord();
    else {
      if ("$`*?[{~!".includes(char)) this.#isLiteral = false;
      this.#append(char);
    }
  }

  #append(text: string): void {
    this.#word = `${this.#word ?? ""}${text}`;
  }

  #quoted(quote: string): void {
    this.#append("");
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at);
      if (char === quote) return;
      if (quote === '"' && "$`".includes(char)) this.#isLiteral = false;
      const isEscape = char === "\\" && quote === '"' && '"\\$`'.includes(this.#text.charAt(this.#at + 1));
      this.#append(isEscape ? this.#text.charAt(++this.#at) : char);
    }
  }

  #escaped(): void {
    const next = this.#text.charAt(++this.#at);
    if (next !== "\n") this.#append(next);
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = (end === -1 ? this.#text.length : end) - 1;
  }

  #redirect(char: string): void {
    // The number of a stream belongs to the redirection.
    if (this.#word !== null && /^\d+$/.test(this.#word)) this.#word = null;
    this.#endWord();
    while (/[<>|&]/.test(this.#text.charAt(this.#at + 1))) {
      this.#at++;
      // `>&1` and `2>&1` name a stream, `<(…)` and `<<<` no file.
      if (this.#text.charAt(this.#at) === "&" && /[\d-]/.test(this.#text.charAt(this.#at + 1))) {
        this.#target = "other";
        return;
      }
    }
    this.#target = char === ">" ? "write" : "other";
    if (char === "<") this.#isLiteral = false;
  }

  #endWord(): void {
    const word = this.#word;
    this.#word = null;
    if (word === null) return;
    if (this.#target === "write" && !word.startsWith("/dev/")) this.#writes.push(word);
    if (this.#target === null) this.#words.push(word);
    this.#target = null;
  }

  #endCommand(): void {
    this.#endWord();
    this.#target = null;
    if (this.#words.length > 0 || this.#writes.length > 0)
      this.#found.push({ words: this.#words, writes: this.#writes, isLiteral: this.#isLiteral });
    this.#words = [];
    this.#writes = [];
    this.#isLiteral = true;
  }
}

/** The text of a here-document is no command. */
function withoutHereDocuments(text: string): string {
  const kept: string[] = [];
  let until: string | null = null;
  for (const line of text.split("\n")) {
    if (until !== null) {
      if (line.trim() === until) until = null;
      continue;
    }
    kept.push(line);
    until =
      /<<-?\s*(?:"([^"]+)"|'([^']+)'|\\?([\w.-]+))/
        .exec(line.replaceAll("<<<", ""))
        ?.slice(1)
        .find(Boolean) ?? null;
  }
  return kept.join("\n");
}
