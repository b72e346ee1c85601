import { shorten } from "../text/visible-text.ts";

/** How deeply untrusted JSON may be nested. */
export const maxNesting = 128;

export type StrictJson = { ok: true; value: unknown; hasUnsafeInteger: boolean } | ({ ok: false } & Refusal);

/** `not-json`: a syntax error; the others are what `JSON.parse` would accept. */
interface Refusal {
  fault: "not-json" | "duplicate-key" | "too-deep" | "not-finite";
  problem: string;
}

/**
 * Reads JSON that another program wrote. Refuses what `JSON.parse` accepts and later code cannot store:
 * deep nesting (the store would fail), duplicate keys (two readers would disagree) and numbers that are not finite.
 */
export function parseStrictJson(text: string, nesting: number = maxNesting): StrictJson {
  const shape = scanShape(text, nesting);
  if ("fault" in shape) return { ok: false, ...shape };
  try {
    return { ok: true, value: JSON.parse(text), hasUnsafeInteger: shape.hasUnsafeInteger };
  } catch (error) {
    return { ok: false, fault: "not-json", problem: (error as Error).message };
  }
}

interface Shape {
  hasUnsafeInteger: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const colon = 0x3a;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** One pass over the text that never recurses. It judges shape only; `JSON.parse` judges grammar afterwards. */
function scanShape(text: string, nesting: number): Shape | Refusal {
  const shape: Shape = { hasUnsafeInteger: false };
  const keysOf: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const keys = keysOf.at(-1);
      if (keys && isKey(text, end)) {
        const key = readKey(text.slice(at, end));
        if (keys.has(key))
          return {
            fault: "duplicate-key",
            problem: `duplicate key ${JSON.stringify(shorten(key, 80))}`,
          };
        keys.add(key);
      }
      at = end - 1;
    } else if (code === openObject || code === openArray) {
      if (keysOf.push(code === openObject ? new Set() : null) > nesting)
        return { fault: "too-deep", problem: `nested deeper than ${nesting} levels` };
    } else if (code === closeObject || code === closeArray) {
      keysOf.pop();
    } else if ((code >= 0x30 && code <= 0x39) || code === 0x2d) {
      number.lastIndex = at;
      const digits = number.exec(text)?.[0] ?? "";
      if (digits.length > 15 || /[eE]/.test(digits)) {
        const value = Number(digits);
        if (!Number.isFinite(value))
          return { fault: "not-finite", problem: `the number ${digits.slice(0, 40)} is not finite` };
        if (Number.isInteger(value) && !Number.isSafeInteger(value)) shape.hasUnsafeInteger = true;
      }
      at += Math.max(digits.length - 1, 0);
    }
  }
  return shape;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
  return backslashes % 2 === 1;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at) === colon;
}

/** Two spellings of one key (`"a"`, `"\u0061"`) are one key. */
function readKey(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}
