import type { CanaryFigures, JudgeFigures } from "../../contract/figures.ts";
import type { CellResult, JudgeRecord } from "../../contract/result.ts";
import { roundMs, roundShare, roundUsd } from "../../shared/statistics/numbers.ts";

export interface JudgeFold {
  /** Adds the result of one cell; results that no model judged are ignored. */
  add(result: CellResult): void;
  /** One entry per model, by name. The canaries are part of the cost of their judge. */
  figures(canaries: ReadonlyMap<string, CanaryFigures>): JudgeFigures[];
}

/** Adds up the cost of judging, apart from the skills that were judged. */
export function judgeFold(): JudgeFold {
  const byModel = new Map<string, JudgeFigures>();
  return {
    add({ judge, status }) {
      if (judge === null) return;
      const before = byModel.get(judge.model) ?? nothingYet(judge.model);
      const failed = before.failed + Number(status === "invalid");
      const trustedDespite = before.trustedDespite ?? judge.problem ?? null;
      byModel.set(judge.model, {
        ...charged(before, judge),
        cells: before.cells + 1,
        failed,
        trustedDespite,
      });
    },
    figures(canaries) {
      const all = new Map(byModel);
      for (const [model, { judge, cause: _, ...figures }] of canaries) {
        const before = all.get(model) ?? nothingYet(model);
        all.set(model, { ...charged(before, judge), canaries: figures });
      }
      return [...all.values()].sort((a, b) => (a.model < b.model ? -1 : 1)).map(rounded);
    },
  };
}

function nothingYet(model: string): JudgeFigures {
  return {
    model,
    cells: 0,
    failed: 0,
    failureRate: null,
    calls: 0,
    latencyMs: 0,
    promptTokens: 0,
    completionTokens: 0,
    costUsd: 0,
    canaries: null,
    trustedDespite: null,
  };
}

/** A sum with an unknown part is unknown: the known part would read as the whole. */
function charged(before: JudgeFigures, { calls, latencyMs, usage }: JudgeRecord): JudgeFigures {
  const plus = (sum: number | null, part: number | null | undefined) =>
    sum === null || part === null || part === undefined ? null : sum + part;
  return {
    ...before,
    calls: before.calls + calls,
    latencyMs: before.latencyMs + latencyMs,
    promptTokens: plus(before.promptTokens, usage?.promptTokens),
    completionTokens: plus(before.completionTokens, usage?.completionTokens),
    costUsd: plus(before.costUsd, usage?.costUsd),
  };
}

function rounded(figures: JudgeFigures): JudgeFigures {
  const { cells, failed, costUsd, latencyMs, canaries } = figures;
  return {
    ...figures,
    failureRate: cells === 0 ? null : roundShare(failed / cells),
    latencyMs: roundMs(latencyMs),
    costUsd: roundUsd(costUsd),
    canaries: canaries && {
      ...canaries,
      drift: roundShare(canaries.drift),
      flipRate: roundShare(canaries.flipRate),
    },
  };
}
