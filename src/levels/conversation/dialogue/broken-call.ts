import type { CallRejection } from "../../../contract/conversation.ts";
import { type CallKey, callKeys, holdsCall, isCallAttempt } from "./call-shape.ts";
import { type FoundObjects, findObjects, type Span } from "./find-objects.ts";

interface BrokenCall {
  rejection: CallRejection;
  /** The first object in it that is shaped like a call. */
  call: Span | null;
}

/** What is wrong with a text that is not JSON but contains a call; null where it contains none. */
export function brokenCall(text: string, isKnown: (name: string) => boolean): BrokenCall | null {
  const found = findObjects(text);
  const rejection = findRejection(text, found, isKnown);
  return rejection === null ? null : { rejection, call: found.calls[0] ?? null };
}

function findRejection(
  text: string,
  { objects, calls }: FoundObjects,
  isKnown: (name: string) => boolean,
): CallRejection | null {
  const rest = without(text, objects);
  const { hasKeys, namesTool } = callTraces(rest, isKnown);
  const isCall = calls.length > 0 || hasKeys;
  if (text.startsWith("TOOL_CALL") && (isCall || namesTool || isAttempt(text, objects[0], isKnown)))
    return "prefixed";
  if (isCall && isFenced(rest, calls)) return "fenced";
  if (calls.length > 1) return "multiple-calls";
  if (calls.length === 1) return "surrounding-text";
  // Text that begins as an object and names a tool is meant as a call, even if it breaks off before the arguments.
  if (!hasKeys && !(text.startsWith("{") && (namesTool || isSwallowed(text, isKnown)))) return null;
  return isLeftOpen(rest) ? "truncated" : "not-json";
}

/** Whether a missing brace put the name into the arguments: `{"arguments":{"a":1,"name":"t"}`. */
function isSwallowed(text: string, isKnown: (name: string) => boolean): boolean {
  const { hasKeys, namesTool } = callTraces(text, isKnown);
  return hasKeys && namesTool;
}

/** The text with blanks instead of its objects, so that all offsets stay the same. */
function without(text: string, objects: readonly Span[]): string {
  let rest = "";
  let end = 0;
  for (const { from, to } of objects) {
    rest += `${text.slice(end, from)}${" ".repeat(to - from)}`;
    end = to;
  }
  return rest + text.slice(end);
}

function isAttempt(text: string, object: Span | undefined, isKnown: (name: string) => boolean): boolean {
  return object !== undefined && isCallAttempt(JSON.parse(text.slice(object.from, object.to)), isKnown);
}

/** Whether a call, or both keys of one, are between the same two fences. */
function isFenced(rest: string, calls: readonly Span[]): boolean {
  let next = 0;
  for (const { from, to } of fences(rest)) {
    while ((calls[next]?.from ?? to) < from) next++;
    if ((calls[next]?.to ?? Number.POSITIVE_INFINITY) <= to) return true;
    if (callTraces(rest.slice(from, to), () => false).hasKeys) return true;
  }
  return false;
}

/** The text between rows of three or more backticks or tildes; the last may be left open. */
function fences(text: string): Span[] {
  const spans: Span[] = [];
  const row = /`{3,}|~{3,}/g;
  for (let opened = row.exec(text); opened !== null; opened = row.exec(text)) {
    const from = row.lastIndex;
    let closed = row.exec(text);
    while (closed !== null && !closed[0].startsWith(opened[0])) closed = row.exec(text);
    spans.push({ from, to: closed?.index ?? text.length });
    if (closed === null) break;
  }
  return spans;
}

/** Signs of a call in a text that is not JSON. */
interface CallTraces {
  /** Whether it contains both keys of a form. */
  hasKeys: boolean;
  /** Whether a key for names has the name of a known tool. */
  namesTool: boolean;
}

/** Looks for the keys of a call in any kind of quotes. Unquoted keys count only in a text that begins as an object: elsewhere they are prose or code. */
function callTraces(text: string, isKnown: (name: string) => boolean): CallTraces {
  const word = /name|arguments|action|input/g;
  const mayBeBare = text.startsWith("{");
  let keys = 0;
  let namesTool = false;
  for (let found = word.exec(text); found !== null; found = word.exec(text)) {
    const [key] = found;
    const valueAt = endOfKey(text, found.index, key.length, mayBeBare);
    if (valueAt === -1) continue;
    keys |= callKeys[key as CallKey];
    if (key === "name" || key === "action") namesTool ||= isKnown(wordAt(text, valueAt));
  }
  return { hasKeys: holdsCall(keys), namesTool };
}

const quotes = "\"'“”‘’";
const colons = ":：";

/** Just after the colon if a word is a key, else -1. */
function endOfKey(text: string, at: number, length: number, mayBeBare: boolean): number {
  const isQuoted = quotes.includes(text[at - 1] ?? " ");
  if (!isQuoted && !(mayBeBare && isAfterPunctuation(text, at))) return -1;
  let end = at + length;
  if (isQuoted) {
    while (text[end] === "\\") end++; // the whole call is escaped
    if (!quotes.includes(text[end] ?? " ")) return -1;
    end++;
  }
  while (/\s/.test(text[end] ?? "")) end++;
  return colons.includes(text[end] ?? " ") ? end + 1 : -1;
}

/** Whether a brace or a comma precedes, with only space between. */
function isAfterPunctuation(text: string, start: number): boolean {
  let at = start - 1;
  while (/\s/.test(text[at] ?? "")) at--;
  return text[at] === "{" || text[at] === ",";
}

const value = /\s{0,100}\\?["'“”‘’]([A-Za-z_][A-Za-z0-9_]{0,63})\\?["'“”‘’]/y;

function wordAt(text: string, at: number): string {
  value.lastIndex = at;
  return value.exec(text)?.[1] ?? "";
}

/** Whether a brace or a string is left open at the end. Quotes outside of braces are prose. */
function isLeftOpen(text: string): boolean {
  let depth = 0;
  let string = "";
  let before = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "\\") at++;
    else if (string !== "") string = char === string ? "" : string;
    else if (char === "{") depth++;
    else if (char === "}") depth = Math.max(0, depth - 1);
    else if (depth > 0 && (char === '"' || (char === "'" && "{[,:".includes(before)))) string = char;
    if (char > " ") before = char;
  }
  return depth > 0 || string !== "";
}
