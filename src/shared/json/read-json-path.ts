import { shownText } from "../text/visible-text.ts";
import { isMap } from "./json-values.ts";

/** A key of an object, or an index of a list. */
type JsonStep = string | number;

const longest = 1000;
// A key without quotes may be of any script: tools of strangers name their members as they like.
const step = /\.([^\s.[\]{}'"$\\]+)|\[(?:(0|[1-9]\d{0,8})|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/uy;

/** The steps of `$[0].total` or `$[1].items[2]['a b']`; null where it is not of this form. */
export function readJsonPath(path: string): JsonStep[] | null {
  if (!path.startsWith("$") || path.length > longest) return null;
  const { steps, end } = readJsonSteps(path, 1);
  return end === path.length ? steps : null;
}

/** The steps that begin at a position of a text, and where they end. */
function readJsonSteps(text: string, from: number): { steps: JsonStep[]; end: number } {
  const steps: JsonStep[] = [];
  let end = from;
  for (;;) {
    step.lastIndex = end;
    const found = step.exec(text);
    if (found === null) return { steps, end };
    const [whole, name, index, single, double] = found;
    steps.push(index === undefined ? (name ?? unescaped(single ?? double ?? "")) : Number(index));
    end += whole.length;
  }
}

/** The value there; undefined where there is none. Own members only. */
export function valueAtSteps(value: unknown, steps: readonly JsonStep[]): unknown {
  let at = value;
  for (const key of steps) {
    const isThere = typeof key === "number" ? Array.isArray(at) : isMap(at);
    if (!isThere || !Object.hasOwn(at as object, key)) return undefined;
    at = (at as Record<JsonStep, unknown>)[key];
  }
  return at;
}

function unescaped(key: string): string {
  return key.replace(/\\(.)/gsu, "$1");
}

/** A part of a text that is replaced by a value: `${results[0].total}`. */
export interface Quote {
  from: number;
  /** Just after it. */
  to: number;
  /** From the list of values: the first is the index in it. */
  steps: readonly [number, ...JsonStep[]];
}

type FoundQuotes = { ok: true; quotes: Quote[] } | { ok: false; problem: string };

/** The quotes of results in a text, in order. What only looks like one is an error, any other `${…}` is text. */
export function quotesIn(text: string): FoundQuotes {
  const quotes: Quote[] = [];
  const opening = /\$\{results?(?![\w-])/gu;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const { steps, end } = readJsonSteps(text, opening.lastIndex);
    const [first, ...rest] = steps;
    if (!found[0].endsWith("results") || typeof first !== "number" || text[end] !== "}") {
      const shown = shownText(text.slice(found.index, found.index + 40));
      return { ok: false, problem: `quotes no result: ${shown}; a quote looks like \${results[0].total}` };
    }
    quotes.push({ from: found.index, to: end + 1, steps: [first, ...rest] });
    opening.lastIndex = end + 1;
  }
  return { ok: true, quotes };
}
