import type { TaskResult } from "../contract/task-result.ts";
import type { Verdict } from "../contract/verdict.ts";

/** What a test suite says about its cases before they come. */
export interface JunitTally {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  totalMs: number;
}

/** The element that tells how a cell ended; a pass has none. */
export const junitElementOf: Record<Verdict, "failure" | "error" | "skipped" | null> = {
  pass: null,
  fail: "failure",
  error: "error",
  timeout: "error",
  invalid: "skipped",
};

export const noTally: JunitTally = { tests: 0, failures: 0, errors: 0, skipped: 0, totalMs: 0 };

/** Counts the cells of a suite. */
export function junitTally(cells: Iterable<TaskResult>): JunitTally {
  const tally = { ...noTally };
  for (const { status, latencyMs } of cells) {
    const element = junitElementOf[status];
    tally.tests++;
    tally.totalMs += latencyMs;
    if (element === "failure") tally.failures++;
    else if (element === "error") tally.errors++;
    else if (element === "skipped") tally.skipped++;
  }
  return tally;
}

export function addTallies(a: JunitTally, b: JunitTally): JunitTally {
  return {
    tests: a.tests + b.tests,
    failures: a.failures + b.failures,
    errors: a.errors + b.errors,
    skipped: a.skipped + b.skipped,
    totalMs: a.totalMs + b.totalMs,
  };
}
