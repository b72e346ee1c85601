/** Cuts a stream of text into events, however it arrives, and never holds more than the cap. */
export class SseReader {
  readonly #capChars: number;
  readonly #onEvent: (lines: readonly string[]) => void;
  #line = "";
  #data: string[] = [];
  #heldChars = 0;
  #endedInReturn = false;

  /** `onEvent` gets the data lines of an event, which are one text with line breaks in it. */
  constructor(capChars: number, onEvent: (lines: readonly string[]) => void) {
    this.#capChars = capChars;
    this.#onEvent = onEvent;
  }

  /** False once an event is longer than any may be. */
  take(text: string): boolean {
    // A line break of two characters may come in two pieces.
    let start = this.#endedInReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#endedInReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      this.#endLine(text.slice(start, end.index));
      start = ends.lastIndex;
    }
    this.#line += text.slice(start);
    return this.#heldChars + this.#line.length <= this.#capChars;
  }

  /** Ends the stream. A last event without a blank line counts: its JSON shows whether it is complete. */
  end(): void {
    this.#endLine("");
    this.#dispatch();
  }

  #endLine(rest: string): void {
    const line = this.#line + rest;
    this.#line = "";
    if (line === "") this.#dispatch();
    const field = /^data(?:: ?|$)/.exec(line);
    if (field === null) return; // a blank line, a comment, or a field we do not use
    const data = line.slice(field[0].length);
    this.#data.push(data);
    this.#heldChars += data.length + 1;
  }

  #dispatch(): void {
    if (this.#data.length > 0) this.#onEvent(this.#data);
    this.#data = [];
    this.#heldChars = 0;
  }
}
