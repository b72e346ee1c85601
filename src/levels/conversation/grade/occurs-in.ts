import { isMap } from "../../../shared/json/is-map.ts";

/** Answers which values stand in a text. Made once per text. */
export function occursIn(text: string): (value: unknown) => boolean {
  const whole = text.normalize();
  let numbers: Set<number> | null = null;
  return (value) => {
    switch (typeof value) {
      case "number":
        numbers ??= numbersIn(whole);
        return numbers.has(value);
      case "string":
        return hasText(whole, value.normalize());
      case "boolean":
        return new RegExp(`(?<![\\p{L}\\p{N}_])${value}(?![\\p{L}\\p{N}_])`, "iu").test(whole);
      default:
        return false;
    }
  };
}

const maxValues = 1000;

/** What of a value can be looked for: texts that are not blank, numbers, yes and no; of lists and maps all that is in them. */
export function checkableValues(value: unknown): unknown[] {
  const found: unknown[] = [];
  const open = [value];
  while (open.length > 0 && found.length < maxValues) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...next.toReversed());
    else if (isMap(next)) open.push(...Object.values(next).reverse());
    else if (typeof next === "string" ? next.trim() !== "" : next !== null && next !== undefined)
      found.push(next);
  }
  return found;
}

/** Literally, or as JSON writes it: a reply may be a plan. */
function hasText(whole: string, words: string): boolean {
  return whole.includes(words) || whole.includes(JSON.stringify(words).slice(1, -1));
}

// A version number or a date with dots is one word, and no number.
const numberWord = /\d+(?:\.\d+)*(?:[eE][+-]?\d+)?/g;

/** The numbers that stand in a text as such: 3 is neither in 13 nor in 3.5, and 1,234 is 1234. */
function numbersIn(text: string): Set<number> {
  const plain = text
    .normalize("NFKC")
    .replaceAll("\u2212", "-")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = new Set<number>();
  for (const { 0: word, index } of plain.matchAll(numberWord)) {
    if (/^0\d/.test(word)) continue;
    const value = Number(word);
    if (!Number.isFinite(value)) continue;
    // After a letter or a digit it is a hyphen: `2024-3`, `A-3`.
    const isNegative = plain[index - 1] === "-" && !/[\p{L}\p{N}]/u.test(plain[index - 2] ?? "");
    found.add(isNegative ? -value : value);
  }
  return found;
}
