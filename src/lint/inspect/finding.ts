import { listed } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";

const longestProblem = 300;
const maxListed = 3;

/** One line about one thing: `license: ok`, or `license: ` and what is wrong. */
export function finding(name: string, problem: string | null): string {
  if (problem === null) return `${name}: ok`;
  const line = `${name}: ${shownText(problem, longestProblem)}`;
  return line.replace(/:\s+(?=ok)/giu, ":"); // a file named "license: ok" must not earn its skill a point
}

/** The same for something that reads files: a folder that cannot be read is a finding like others. */
export async function checkedFinding(
  name: string,
  look: () => string | null | Promise<string | null>,
): Promise<string> {
  try {
    return finding(name, await look());
  } catch (error) {
    if (error instanceof UserError) return finding(name, error.message);
    throw error;
  }
}

/** The first few of many, for a sentence; null where there are none. */
export function firstFew(items: readonly string[]): string | null {
  return items.length === 0 ? null : listed(items, maxListed);
}
