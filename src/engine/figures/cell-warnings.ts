import type { CellResult } from "../../contract/result.ts";
import { pluralize } from "../../shared/text/phrases.ts";

/** Of more texts than this, the first in the order of the alphabet are kept: their number must not grow with the cells. */
const maxTexts = 20;
const namedCases = 3;

interface Warned {
  cells: number;
  cases: string[];
}

/** Folds what cells warn of, whatever their verdict, into a sentence per text. The order of results does not matter. */
export function warningFold(): { add(result: CellResult): void; warnings(): string[] } {
  const found = new Map<string, Warned>();

  function add(result: CellResult): void {
    for (const text of textsOf(result)) {
      const key = `${result.skillId ?? result.suite}: ${text}`;
      const known = found.get(key) ?? { cells: 0, cases: [] };
      known.cells++;
      if (!known.cases.includes(result.caseId))
        known.cases = [...known.cases, result.caseId].sort().slice(0, namedCases + 1);
      found.set(key, known);
      // One that goes is never among the first again, so what stays was counted from the beginning.
      if (found.size > maxTexts) found.delete([...found.keys()].sort().at(-1) ?? "");
    }
  }

  return {
    add,
    warnings: () =>
      [...found]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([text, { cells, cases }]) => {
          const more = cases.length > namedCases ? ", …" : "";
          const named = cases.slice(0, namedCases).join(", ") + more;
          return `${text} (${pluralize(cells, "result")}: ${named})`;
        }),
  };
}

/** What the sandbox hid is something for a person to grant, so it belongs beside the figures. */
function textsOf({ warnings, cause, reason }: CellResult): ReadonlySet<string> {
  return new Set(cause === "sandbox-hid" && reason !== null ? [...warnings, reason] : warnings);
}
