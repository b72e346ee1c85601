import { hidden } from "./visible-text.ts";

/** A word of a command line, ready to be pasted into a shell, which takes it as it is. It stays on its line, and is safe to print. */
export function shellWord(word: string): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  // What could move the cursor would be printed as an escape, which no shell reads back unless it is told to.
  if (word.search(hidden) !== -1) return `$'${word.replace(/['\\]/g, "\\$&").replace(hidden, bytesOf)}'`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Bytes rather than characters: a shell of another locale reads them, too. */
function bytesOf(char: string): string {
  return [...Buffer.from(char)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Splits a command line as a POSIX shell would split words, and does nothing else a shell does: no variables, globs or `~`. */
export function splitCommand(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: "'" | '"' | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    const next = line[at + 1];
    if (quote === "'") {
      if (char === "'") quote = null;
      else word = `${word}${char}`;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else if (char === "\\" && next !== undefined && '"\\$`'.includes(next)) word = `${word}${line[++at]}`;
      else word = `${word}${char}`;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\") {
      if (next === undefined) throw new SyntaxError("ends with a lone backslash");
      word = `${word ?? ""}${line[++at]}`;
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = `${word ?? ""}${char}`;
    }
  }
  if (quote !== null) throw new SyntaxError(`has an unbalanced ${quote}`);
  if (word !== null) words.push(word);
  return words;
}
