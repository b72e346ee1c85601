/**
 * How many tokens a text is to a model, by the o200k encoding. Exact, but for words so long that no language has them:
 * these are counted in parts, because the time for one word grows with the square of its length.
 */
export async function encodedLength(text: string): Promise<number> {
  const { wordPattern, countWord } = await loaded();
  let count = 0;
  for (const part of splitParts(text))
    for (const word of part.match(wordPattern) ?? []) count += countWord(word);
  return count;
}

const longestPart = 65_536;
const longestWord = 128;
const maxKnownWords = 200_000;

interface Encoding {
  wordPattern: RegExp;
  countWord(word: string): number;
}

let encoding: Promise<Encoding> | undefined;

/** Loaded where something is counted: its table of 200,000 tokens takes a quarter of a second to read. */
function loaded(): Promise<Encoding> {
  encoding ??= load();
  return encoding;
}

async function load(): Promise<Encoding> {
  const { countTokens: count, setMergeCacheSize } = await import("gpt-tokenizer/encoding/o200k_base");
  const { O200K_TOKEN_SPLIT_REGEX } = await import("gpt-tokenizer/encodingParams/constants");
  setMergeCacheSize(0); // words are remembered here, which is twice as fast
  const asText = { disallowedSpecial: new Set<string>() }; // else a text that names a special token is refused
  const known = new Map<string, number>();
  const countWord = (word: string): number => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= maxKnownWords) known.clear();
    const counted = count(word, asText);
    known.set(word, counted);
    return counted;
  };
  const countLong = (word: string): number => {
    let sum = 0;
    for (let at = 0; at < word.length; at += longestWord) sum += countWord(word.slice(at, at + longestWord));
    return sum;
  };
  return {
    wordPattern: O200K_TOKEN_SPLIT_REGEX,
    countWord: (word) => (word.length > longestWord ? countLong(word) : countWord(word)),
  };
}

/** In parts, so that no list of words grows with the text; cut where a line begins, which cuts no token. */
function* splitParts(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > longestPart) {
    const to = lineStart(text, from, from + longestPart) ?? from + longestPart;
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

/** The last beginning of a line that is not blank. White space and slashes may belong to the token before them. */
function lineStart(text: string, from: number, to: number): number | null {
  for (let at = to; at > from; at--) if (text[at - 1] === "\n" && /[^\s/]/.test(text[at] ?? " ")) return at;
  return null;
}
