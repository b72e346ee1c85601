/** A value that was expected and the one that came, cut where they begin and cease to differ. */
export interface ComparedValues {
  /** Where in the answer they stand; null where it is the whole answer. */
  path: string | null;
  expected: Side;
  got: Side;
}

export interface Side {
  before: string;
  differs: string;
  after: string;
}

/** Reads `expected X, got Y` out of a reason; null where it says something else. */
export function readComparison(reason: string): ComparedValues | null {
  const read = /^(?:at (\$[^\n]*?): )?expected (.*)$/s.exec(reason);
  if (read === null) return null;
  const [, path = null, values = ""] = read;
  const split = splitValues(values);
  if (split === null) return null;
  const [expected, got] = split;
  const before = commonStart(expected, got);
  const after = commonEnd(expected.slice(before), got.slice(before));
  return { path, expected: side(expected, before, after), got: side(got, before, after) };
}

const separator = ", got ";

/** The separator may also stand inside a text: the right one leaves something well formed on both sides. */
function splitValues(values: string): [string, string] | null {
  let first: [string, string] | null = null;
  for (let at = values.indexOf(separator); at !== -1; at = values.indexOf(separator, at + 1)) {
    const split: [string, string] = [values.slice(0, at), values.slice(at + separator.length)];
    if (split.every(isWhole)) return split;
    first ??= split;
  }
  return first;
}

function isWhole(value: string): boolean {
  if (!value.startsWith('"')) return !value.includes('"');
  return value.endsWith("…") || /^"(?:[^"\\]|\\.)*"$/s.test(value);
}

function side(value: string, before: number, after: number): Side {
  const end = value.length - after;
  return { before: value.slice(0, before), differs: value.slice(before, end), after: value.slice(end) };
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return splitsPair(a, length) || splitsPair(b, length) ? length - 1 : length;
}

function commonEnd(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return splitsPair(a, a.length - length) || splitsPair(b, b.length - length) ? length - 1 : length;
}

/** Whether a cut here would tear one character in two. */
function splitsPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");
}
