import { grouped } from "./grouped.ts";

/** How many rows stand in a table and how many there are: `1–50 of 5,000 results`. */
export function describeShown(
  count: { first: number; shown: number; found: number; all: number },
  { one, many }: { one: string; many: string },
): string {
  const of = count.found === count.all ? "" : ` found among ${grouped(count.all)}`;
  if (count.shown === count.found) return `${grouped(count.found)} ${count.found === 1 ? one : many}${of}`;
  const last = grouped(count.first + count.shown);
  return `${grouped(count.first + 1)}–${last} of ${grouped(count.found)} ${many}${of}`;
}
