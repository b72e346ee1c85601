import type { TextSink } from "../io/command-io.ts";

const [enter, leave, backspace] = [/^[\r\n]$/, "\u001b", /^[\u007f\b]$/];

/** A pattern that is typed key by key, since the terminal gives single keys. */
export class PatternInput {
  /** What was typed so far; null where nothing is being typed. */
  #text: string | null = null;
  readonly #stream: TextSink;

  constructor(stream: TextSink) {
    this.#stream = stream;
  }

  get isOpen(): boolean {
    return this.#text !== null;
  }

  open(): void {
    this.#text = "";
    this.#draw();
  }

  /** Takes a key. Returns the pattern when it is complete, null when it was called off. */
  take(key: string): string | null | undefined {
    const text = this.#text ?? "";
    if (enter.test(key) || key === leave) {
      this.#text = null;
      this.#stream.write("\n");
      return key === leave ? null : text;
    }
    if (backspace.test(key)) this.#text = [...text].slice(0, -1).join("");
    else if (!/\p{Cc}/u.test(key)) this.#text = text + key;
    this.#draw();
    return undefined;
  }

  #draw(): void {
    this.#stream.write(`\r\u001b[Kpattern of <skill>/<case>, empty for all: ${this.#text}`);
  }
}
