import { callKeyBit, holdsCall } from "./call-shape.ts";

export interface Span {
  from: number;
  /** Just after it. */
  to: number;
}

export interface FoundObjects {
  /** Outermost JSON objects, in order. */
  objects: Span[];
  /** Those shaped like a call, at any depth, but not those inside another call. */
  calls: Span[];
}

/** The JSON objects in a text. Never looks back further than one string, so the time is linear in the length. */
export function findObjects(text: string): FoundObjects {
  const found: FoundObjects = { objects: [], calls: [] };
  for (let at = text.indexOf("{"); at !== -1; ) at = text.indexOf("{", readObject(text, at, found));
  return found;
}

/** An object or a list that is not closed yet. */
interface Open {
  from: number;
  isObject: boolean;
  /** The keys of a call that it has. */
  keys: number;
}

type Wanted = "first key" | "key" | "colon" | "first item" | "value" | "comma";

const maxDepth = 128;

/** Reads one object, adds it or the complete ones inside it, and returns where to continue. */
function readObject(text: string, start: number, found: FoundObjects): number {
  const open: Open[] = [{ from: start, isObject: true, keys: 0 }];
  let wanted: Wanted = "first key";
  let stringAt = -1; // of the token before, where that is a string
  for (let at = skipSpace(text, start + 1); ; at = skipSpace(text, at)) {
    const top = open.at(-1) as Open;
    const char = text[at];
    // If the text breaks off after a string, an object may begin inside that string.
    const broken = stringAt === -1 ? at : stringAt + 1;
    stringAt = -1;
    const isKey: boolean = char === '"' && (wanted === "first key" || wanted === "key");
    const isValue = wanted === "value" || wanted === "first item";
    if (isKey || (char === '"' && isValue)) {
      const end = endOfString(text, at);
      if (end === -1) return at + 1;
      if (isKey) top.keys |= callKeyBit(text.slice(at, end));
      stringAt = at;
      wanted = isKey ? "colon" : "comma";
      at = end;
    } else if (char === closing(top) && (wanted === "comma" || wanted.startsWith("first"))) {
      open.pop();
      at++;
      if (top.isObject) add(found, { from: top.from, to: at }, top.keys);
      if (open.length === 0) return at;
      wanted = "comma";
    } else if (char === "," && wanted === "comma") {
      wanted = top.isObject ? "key" : "value";
      at++;
    } else if (char === ":" && wanted === "colon") {
      wanted = "value";
      at++;
    } else if ((char === "{" || char === "[") && isValue && open.length < maxDepth) {
      open.push({ from: at, isObject: char === "{", keys: 0 });
      wanted = char === "{" ? "first key" : "first item";
      at++;
    } else {
      const end = isValue ? endOfScalar(text, at) : -1;
      if (end === -1) return broken;
      wanted = "comma";
      at = end;
    }
  }
}

function closing({ isObject }: Open): string {
  return isObject ? "}" : "]";
}

function add({ objects, calls }: FoundObjects, span: Span, keys: number): void {
  put(objects, span);
  if (holdsCall(keys)) put(calls, span);
}

/** Replaces the spans inside the new one. */
function put(spans: Span[], span: Span): void {
  while ((spans.at(-1)?.from ?? -1) > span.from) spans.pop();
  spans.push(span);
}

const quote = 0x22;
const backslash = 0x5c;

/** Just after the string that begins here; -1 if it is not a valid JSON string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code < 0x20) return -1;
    if (code !== backslash) continue;
    escaped.lastIndex = at;
    if (!escaped.test(text)) return -1;
    at++;
  }
  return -1;
}

const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

function endOfScalar(text: string, at: number): number {
  scalar.lastIndex = at;
  return scalar.test(text) ? scalar.lastIndex : -1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
