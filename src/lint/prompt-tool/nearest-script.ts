import { basename } from "node:path";
import { nearestSpelling } from "../../shared/text/nearest.ts";

/** The script that was most likely meant by a name that no script has. */
export function nearestScript(missing: string, others: readonly string[]): string | null {
  const few = others.slice(0, maxCompared);
  const inOtherCase = few.find((other) => other.toLowerCase() === missing.toLowerCase());
  if (inOtherCase !== undefined) return inOtherCase;
  const stem = stemOf(missing);
  if (stem.length < leastCompared) return null;
  const near = nearestSpelling(stem, few.map(stemOf));
  return few.find((other) => stemOf(other) === near) ?? null;
}

const maxCompared = 100;
/** Shorter names are all near each other. */
const leastCompared = 4;

function stemOf(file: string): string {
  return basename(file, ".py");
}
