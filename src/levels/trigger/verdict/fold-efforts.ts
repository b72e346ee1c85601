import type { Judgment, UnusableReply } from "../../../contract/judge.ts";
import type { TriggerResult } from "../../../contract/trigger-report.ts";
import { percentile } from "../../../shared/statistics/numbers.ts";

type EffortFigures = Pick<
  TriggerResult,
  "invalidRate" | "lenient" | "usd" | "tokensIn" | "tokensOut" | "cached" | "latency"
>;

export interface EffortFold {
  add(judgment: Judgment): void;
  figures(): EffortFigures;
}

/** Folds the effort of judging and the share of usable replies. */
export function effortFold({ isPaid }: { isPaid: boolean }): EffortFold {
  const latencies: number[] = [];
  const prices = knownSum();
  const tokensIn = knownSum();
  const tokensOut = knownSum();
  const lenient = { yes: 0, no: 0, neither: 0 };
  let replies = 0;
  let unusable = 0;
  let cached = 0;

  function addUnusable({ lenientDecision }: UnusableReply): void {
    replies++;
    unusable++;
    lenient[lenientDecision ?? "neither"]++;
  }

  return {
    add(judgment) {
      for (const reply of judgment.reasked ?? []) addUnusable(reply);
      if (judgment.outcome === "invalid") addUnusable(judgment);
      else if (judgment.outcome !== "error") replies++;
      if (judgment.outcome !== "error") latencies.push(judgment.ms);
      cached += Number(judgment.cached);
      if (judgment.cached || wasNeverSent(judgment)) return;
      prices.add(judgment.usd);
      tokensIn.add(judgment.tokensIn);
      tokensOut.add(judgment.tokensOut);
    },
    figures() {
      const sorted = Float64Array.from(latencies).sort();
      return {
        invalidRate: replies === 0 ? null : unusable / replies,
        lenient: { ...lenient },
        usd: isPaid ? prices.sum() : null,
        tokensIn: isPaid ? tokensIn.sum() : null,
        tokensOut: isPaid ? tokensOut.sum() : null,
        cached,
        latency: { p50Ms: percentile(sorted, 0.5), p95Ms: percentile(sorted, 0.95) },
      };
    },
  };
}

/** Nothing was sent, so nothing was spent; after any other fault the cost is unknown. */
function wasNeverSent(judgment: Judgment): boolean {
  if (judgment.outcome !== "error" || judgment.reasked !== undefined) return false;
  return judgment.code === "budget" || judgment.code === "not-recorded";
}

/** A sum with an unknown part is unknown. Added up by size, so that the order of arrival does not matter. */
function knownSum(): { add(part: number | null): void; sum(): number | null } {
  const parts: number[] = [];
  let isKnown = true;
  return {
    add(part) {
      if (part === null) isKnown = false;
      else parts.push(part);
    },
    sum: () => (isKnown ? parts.sort((a, b) => a - b).reduce((sum, part) => sum + part, 0) : null),
  };
}
