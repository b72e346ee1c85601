import type { TriggerResult } from "../src/contract/trigger-report.ts";
import type { Counts } from "../src/contract/verdict.ts";
import type { CellCounts } from "../src/reporters/agent/cell-words.ts";
import type { CountPart } from "./count-bar.tsx";
import { statusOrder } from "./status-order.ts";

/** How the cells of a skill ended, what passed first. */
export function cellParts(counts: Counts): CountPart[] {
  const order = ["pass" as const, ...statusOrder.filter((status) => status !== "pass")];
  return order.map((status) => ({ mark: status, word: status, count: counts[status] }));
}

/** How the cells of a suite of agent cases ended. */
export function suiteParts({ pass, fail, invalid }: CellCounts): readonly CountPart[] {
  return [
    { mark: "pass", word: "passed", count: pass },
    { mark: "fail", word: "failed", count: fail },
    { mark: "invalid", word: "without a verdict", count: invalid },
  ];
}

/** How the queries of a skill ended. */
export function queryParts(
  counts: Pick<TriggerResult, "passed" | "failed" | "inconclusive">,
): readonly CountPart[] {
  return [
    { mark: "pass", word: "passed", count: counts.passed },
    { mark: "fail", word: "failed", count: counts.failed },
    { mark: "invalid", word: "inconclusive", count: counts.inconclusive },
  ];
}
