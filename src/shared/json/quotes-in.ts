import { shownText } from "../text/visible-text.ts";
import { type JsonStep, readJsonSteps } from "./read-json-path.ts";

/** A place of a text that stands for a value: `${results[0].total}`. */
export interface Quote {
  from: number;
  /** Just after it. */
  to: number;
  /** From the list of values: the first is the place in it. */
  steps: readonly [number, ...JsonStep[]];
}

export type FoundQuotes = { ok: true; quotes: Quote[] } | { ok: false; problem: string };

/** The quotes of results in a text, in order. What only looks like one is a slip, any other `${…}` is text. */
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
