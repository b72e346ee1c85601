/**
 * The stem of an English word in lower case: `invoices` and `invoicing` are one term. Porter2, as the Snowball project
 * defines it; the steps keep its names, so that the two can be read side by side.
 */
export function englishStem(word: string): string {
  const known = exceptions.get(word);
  if (known !== undefined) return known;
  if (word.length < 3 || word.length > longestWord) return word;
  const marked = markConsonants(word.startsWith("'") ? word.slice(1) : word);
  const regions = findRegions(marked);
  let stem = step1a(marked);
  stem = step1b(stem, regions);
  stem = step1c(stem);
  stem = replaceEnding(stem, step2, regions.r1);
  stem = replaceEnding(stem, step3, regions.r1, regions.r2);
  stem = step4(stem, regions.r2);
  return step5(stem, regions).replaceAll("Y", "y");
}

/** Nobody writes longer ones; a stranger's file may. */
const longestWord = 64;

const exceptions: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word) => [word, word] as const),
]);

const hasVowel = /[aeiouy]/;
const vowelThenOther = /^[^aeiouy]*[aeiouy]+[^aeiouy]/;

/** `y` that sounds like a consonant becomes `Y`: at the beginning, and after a vowel. */
function markConsonants(word: string): string {
  let marked = "";
  for (const letter of word)
    marked += letter === "y" && (marked === "" || hasVowel.test(marked.at(-1) as string)) ? "Y" : letter;
  return marked;
}

interface Regions {
  r1: number;
  r2: number;
}

const wholeBeginnings = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;

function findRegions(word: string): Regions {
  const r1 = (wholeBeginnings.exec(word) ?? vowelThenOther.exec(word))?.[0].length ?? word.length;
  const second = vowelThenOther.exec(word.slice(r1));
  return { r1, r2: second === null ? word.length : r1 + second[0].length };
}

function endsInShortSyllable(word: string): boolean {
  return (
    /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word) || word.endsWith("past")
  );
}

function step1a(given: string): string {
  const word = given.replace(/'(?:s'?)?$/, "");
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/(?:ied|ies)$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith("s")) return word;
  return hasVowel.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, { r1 }: Regions): string {
  const ending = /(?:eedly|eed|ingly|edly|ing|ed)$/.exec(word)?.[0];
  if (ending === undefined) return word;
  const before = word.slice(0, -ending.length);
  if (ending.startsWith("eed"))
    return before.length < r1 || /^(?:proc|exc|succ)$/.test(before) ? word : `${before}ee`;
  if (ending === "ing") {
    if (/^[^aeiouy]y$/.test(before)) return `${before[0]}ie`;
    if (/^(?:inn|out|cann|herr|earr|even)$/.test(before)) return word;
  }
  if (!hasVowel.test(before)) return word;
  if (/(?:at|bl|iz)$/.test(before)) return `${before}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(before))
    return /^[aeo]..$/.test(before) ? before : before.slice(0, -1);
  return before.length === r1 && endsInShortSyllable(before) ? `${before}e` : before;
}

function step1c(word: string): string {
  return /[^aeiouy][yY]$/.test(word) && word.length > 2 ? `${word.slice(0, -1)}i` : word;
}

/** Ending, its replacement, and what else must hold. The longest ending that fits decides. */
type Ending = readonly [ending: string, instead: string, more?: "after l" | "after li-letter" | "in r2"];

const step2: readonly Ending[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["ogist", "og"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og", "after l"],
  ["li", "", "after li-letter"],
];

const step3: readonly Ending[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", "", "in r2"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

function replaceEnding(word: string, endings: readonly Ending[], r1: number, r2 = 0): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const [ending, instead, more] = found;
  const before = word.slice(0, -ending.length);
  const holds =
    before.length >= r1 &&
    (more !== "after l" || before.endsWith("l")) &&
    (more !== "after li-letter" || /[cdeghkmnrt]$/.test(before)) &&
    (more !== "in r2" || before.length >= r2);
  return holds ? before + instead : word;
}

const step4Endings = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function step4(word: string, r2: number): string {
  const ending = step4Endings.exec(word)?.[0];
  if (ending === undefined) return word;
  const before = word.slice(0, -ending.length);
  const holds = before.length >= r2 && (ending !== "ion" || /[st]$/.test(before));
  return holds ? before : word;
}

function step5(word: string, { r1, r2 }: Regions): string {
  const before = word.slice(0, -1);
  if (word.endsWith("e"))
    return before.length >= r2 || (before.length >= r1 && !endsInShortSyllable(before)) ? before : word;
  return word.endsWith("ll") && before.length >= r2 ? before : word;
}
