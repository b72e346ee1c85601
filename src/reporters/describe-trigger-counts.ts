import type { TriggerResult } from "../contract/trigger-report.ts";

type TriggerCounts = Pick<TriggerResult, "passed" | "failed" | "inconclusive">;

/** How the queries of a skill or of a run ended: `passed 17/20 (1 failed, 2 inconclusive)`. */
export function describeTriggerCounts(counts: TriggerCounts): string {
  const others = notPassedWords(counts);
  return `passed ${counts.passed}/${queryCount(counts)}${others.length > 0 ? ` (${others.join(", ")})` : ""}`;
}

/** How many did not pass, and how: `1 failed`, `2 inconclusive`. */
export function notPassedWords({ failed, inconclusive }: TriggerCounts): string[] {
  return [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(inconclusive > 0 ? [`${inconclusive} inconclusive`] : []),
  ];
}

/** Queries that were asked about, whatever came of them. */
export function queryCount({ passed, failed, inconclusive }: TriggerCounts): number {
  return passed + failed + inconclusive;
}

/** The counts of several skills together. */
export function sumTriggerCounts(all: readonly TriggerCounts[]): TriggerCounts {
  const sum = { passed: 0, failed: 0, inconclusive: 0 };
  for (const { passed, failed, inconclusive } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.inconclusive += inconclusive;
  }
  return sum;
}

/** `1 query`, `20 queries`, `3 more queries`. */
export function countQueries(count: number, which = ""): string {
  return `${count} ${which === "" ? "" : `${which} `}${count === 1 ? "query" : "queries"}`;
}
