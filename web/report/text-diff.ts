/** A piece of two texts: both have it, or only one. */
export interface Piece {
  kind: "both" | "expected" | "actual";
  text: string;
}

/** Two texts as the pieces they share and those in which they differ, down to characters inside changed words. */
export function diffText(expected: string, actual: string): Piece[] {
  const pieces: Piece[] = [];
  for (const piece of diffBy(splits, expected, actual)) {
    const last = pieces.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else if (piece.text !== "") pieces.push({ ...piece });
  }
  return pieces;
}

type Split = (text: string) => string[];

// Characters of Chinese and Japanese are words of their own.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}_])+|\s+|./gsu;

/** Coarse before fine: what differs in lines is compared by words. */
const splits: readonly Split[] = [
  (text) => text.match(/[^\n]*\n|[^\n]+/g) ?? [],
  (text) => text.match(word) ?? [],
];

function diffBy([split, ...finer]: readonly Split[], expected: string, actual: string): Piece[] {
  if (expected === actual) return [{ kind: "both", text: expected }];
  if (split === undefined || expected === "" || actual === "") return diffEnds(expected, actual);
  const [left, right] = [split(expected), split(actual)];
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...commonParts(left, right), [left.length, right.length] as const]) {
    pieces.push(...diffBy(finer, left.slice(i, nextI).join(""), right.slice(j, nextJ).join("")));
    if (nextI < left.length) pieces.push({ kind: "both", text: left[nextI] ?? "" });
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return pieces;
}

/** The table below has a field for each pair; a larger one would be slow. */
const maxPairs = 4_000_000;

/** Where two lists have the same parts, in order: as many of them as possible. None where that would take too long. */
function commonParts(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const width = right.length + 1;
  if (left.length * right.length > maxPairs) return [];
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) found.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}

/** What two texts begin and end with, and what is between. */
function diffEnds(expected: string, actual: string): Piece[] {
  const [left, right] = [[...expected], [...actual]];
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const between = (parts: readonly string[]) => parts.slice(start, parts.length - end).join("");
  return [
    { kind: "both", text: left.slice(0, start).join("") },
    { kind: "expected", text: between(left) },
    { kind: "actual", text: between(right) },
    { kind: "both", text: left.slice(left.length - end).join("") },
  ];
}
