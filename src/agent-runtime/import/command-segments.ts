const maxCommandLength = 65_536;

/** The simple commands in a line for a shell, word by word: what stands between `;`, `&&`, `|` and line ends. Good enough to see what is run and read. */
export function commandSegments(line: string): string[][] {
  const segments: string[][] = [[]];
  let word: string | null = null;
  let quote = "";
  const endWord = (): void => {
    if (word !== null) segments.at(-1)?.push(word);
    word = null;
  };
  const text = line.slice(0, maxCommandLength);
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"') word = `${word ?? ""}${text.charAt(++at)}`;
      else word = `${word ?? ""}${char}`;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\") {
      const next = text.charAt(++at);
      if (next !== "\n") word = `${word ?? ""}${next}`;
    } else if (";&|\n()".includes(char)) {
      endWord();
      if (segments.at(-1)?.length !== 0) segments.push([]);
    } else if (/\s/.test(char)) endWord();
    else word = `${word ?? ""}${char}`;
  }
  endWord();
  return segments.filter(({ length }) => length > 0);
}
