import { xmlTag } from "./junit-tag.ts";
import type { JunitTally } from "./junit-tally.ts";

/** The counts of a suite as its attributes. */
export function junitCounts({ tests, failures, errors, skipped, totalMs }: JunitTally) {
  return { tests, failures, errors, skipped, time: (totalMs / 1000).toFixed(3) };
}

/** The facts of a suite; what is empty is left out. */
export function* junitProperties(properties: Readonly<Record<string, string>>): Generator<string> {
  yield "    <properties>\n";
  for (const [name, value] of Object.entries(properties))
    if (value !== "") yield `      ${xmlTag("property", { name, value }, "empty")}\n`;
  yield "    </properties>\n";
}

/** A time as the format wants it, without fraction and zone; absent where there is none. */
export function junitSecond(time: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(time)?.[0];
}
