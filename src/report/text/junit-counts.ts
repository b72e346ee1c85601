import type { SkippedReport } from "../../contract/document.ts";
import type { NotLoaded } from "../../contract/not-loaded.ts";

/** What a test suite says about its test cases before they come. */
export interface Counts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  totalMs: number;
}

export function skippedCounts({ length }: readonly SkippedReport[]): Counts {
  return { ...noCounts(), tests: length, skipped: length };
}

export function notLoadedCounts({ length }: readonly NotLoaded[]): Counts {
  return { ...noCounts(), tests: length, errors: length };
}

export function noCounts(): Counts {
  return { tests: 0, failures: 0, errors: 0, skipped: 0, totalMs: 0 };
}

export function sumCounts(all: readonly Counts[]): Counts {
  const sum = noCounts();
  for (const one of all) for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += one[name];
  return sum;
}

export function countAttributes({ tests, failures, errors, skipped, totalMs }: Counts) {
  return { tests, failures, errors, skipped, time: seconds(totalMs) };
}

export function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
