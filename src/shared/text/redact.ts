import { isBlank, type Spelling, secretSpellings, shortestSecret, squeeze } from "./secret-spellings.ts";

const replacement = "[redacted]";
/** Marks where a text was shortened. */
const cut = "…";
// Begins at the `://`: a pattern that begins with the scheme takes quadratic time on a long word.
const urlUser = /:\/\/[^/?#\s"'<>]+@/g;

/**
 * Makes a function that takes secrets out of any value, and the user part of any URL. A secret is found plain, reversed, in hex
 * and base64, URL-encoded and JSON-escaped, with white space anywhere in it; of a long one the beginning or the end is enough.
 * A value without secrets comes back as it is, uncopied.
 */
export function redactor(secrets: readonly string[]): <Value>(value: Value) => Value {
  const spellings = secretSpellings(secrets);

  function clean(text: string): string {
    let cleaned = withoutRanges(text, findSecrets(text, spellings));
    if (cleaned.includes(cut)) for (const spelling of spellings) cleaned = cleanCut(cleaned, spelling.text);
    return cleaned.includes("://") ? cleaned.replace(urlUser, `://${replacement}@`) : cleaned;
  }

  function redact(value: unknown): unknown {
    if (typeof value === "string") return clean(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map(redact);
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    let isChanged = false;
    const members = Object.entries(value).map(([key, member]) => {
      const cleaned = [clean(key), redact(member)] as const;
      isChanged ||= cleaned[0] !== key || cleaned[1] !== member;
      return cleaned;
    });
    // `fromEntries` keeps the order and takes `__proto__` for a name like any other.
    return isChanged ? Object.fromEntries(members) : value;
  }

  // Most values hold nothing, and their JSON shows that faster than a walk through them.
  const mayHoldOne = secretTraces(secrets);
  return <Value>(value: Value) =>
    mayHoldOne(JSON.stringify(value) ?? "") ? (redact(value) as Value) : value;
}

/** Whether JSON may hold one of these secrets: where it does not, the value needs no redaction. */
export function secretTraces(secrets: readonly string[]): (json: string) => boolean {
  const spellings = secretSpellings(secrets);
  const traces = [...new Set(spellings.flatMap(endsOf))];
  // What JSON escapes has no one spelling there, least of all next to white space.
  const isEscaped = traces.some((trace) => JSON.stringify(trace).length !== trace.length + 2);
  const isSpaced = spellings.some(({ squeezed }) => squeezed === null);
  if (isEscaped || isSpaced) return () => true;
  return (json) => {
    if (json.includes("://") || json.includes(cut)) return true;
    if (traces.length === 0) return false;
    const squeezed = squeeze(json.replace(/\\(?:[nrtf]|u000b)/g, ""));
    return traces.some((trace) => squeezed.includes(trace));
  };
}

/** Pieces of a spelling: any text that gives it away has one of them. */
function endsOf({ text, squeezed, head, tail }: Spelling): string[] {
  const found = squeezed ?? text;
  return [found.slice(0, head), found.slice(-tail)];
}

type Range = [from: number, to: number];

/** Where secrets are in a text; the ranges may overlap. */
function findSecrets(text: string, spellings: readonly Spelling[]): Range[] {
  if (spellings.length === 0) return [];
  const squeezed = squeeze(text);
  const exact: Range[] = [];
  const loose: Range[] = [];
  for (const spelling of spellings)
    if (spelling.squeezed === null) findSpelling(text, spelling.text, spelling, exact);
    else findSpelling(squeezed, spelling.squeezed, spelling, loose);
  if (loose.length === 0 || squeezed.length === text.length) return [...exact, ...loose];
  // The index in the text of each character that squeezing leaves.
  const at: number[] = [];
  for (let index = 0; index < text.length; index++) if (!isBlank(text.charAt(index))) at.push(index);
  return [...exact, ...loose.map(([from, to]): Range => [at[from] ?? 0, (at[to - 1] ?? text.length) + 1])];
}

function findSpelling(text: string, spelling: string, { head, tail }: Spelling, found: Range[]): void {
  const beginning = spelling.slice(0, head);
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
    let to = head;
    while (to < spelling.length && text[at + to] === spelling[to]) to++;
    found.push([at, at + to]);
  }
  if (tail === spelling.length) return;
  const end = spelling.slice(-tail);
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) {
    let length = tail;
    while (length < spelling.length && text[at + tail - length - 1] === spelling.at(-length - 1)) length++;
    found.push([at + tail - length, at + tail]);
  }
}

function withoutRanges(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  ranges.sort(([a], [b]) => a - b);
  let cleaned = "";
  let end = 0;
  for (const [from, to] of ranges) {
    if (from >= end) cleaned += `${text.slice(end, from)}${replacement}`;
    end = Math.max(end, to);
  }
  return cleaned + text.slice(end);
}

/** Takes out what is left of a secret where a long text was shortened: its beginning before the cut, its end behind it. */
function cleanCut(text: string, spelling: string): string {
  const head = spelling.slice(0, shortestSecret);
  const tail = spelling.slice(-shortestSecret);
  if (!text.includes(head) && !text.includes(tail)) return text;
  const pieces = text.split(cut);
  return pieces
    .map((piece, index) => (index === pieces.length - 1 ? piece : withoutBeginning(piece, spelling, head)))
    .map((piece, index) => (index === 0 ? piece : withoutEnd(piece, spelling, tail)))
    .join(cut);
}

function withoutBeginning(text: string, spelling: string, head: string): string {
  const near = text.slice(-spelling.length);
  for (let at = near.indexOf(head); at !== -1; at = near.indexOf(head, at + 1)) {
    const left = near.slice(at);
    if (spelling.startsWith(left)) return `${text.slice(0, text.length - left.length)}${replacement}`;
  }
  return text;
}

function withoutEnd(text: string, spelling: string, tail: string): string {
  const at = text.slice(0, spelling.length).indexOf(tail);
  const end = at + tail.length;
  return at !== -1 && spelling.endsWith(text.slice(0, end)) ? `${replacement}${text.slice(end)}` : text;
}
