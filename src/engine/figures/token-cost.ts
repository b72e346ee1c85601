import type { TokenCost } from "../../contract/figures.ts";
import type { Usage } from "../../contract/outcome.ts";

export interface Pricing {
  inputPerMTok: number;
  outputPerMTok: number;
}

/** The usage that counted cells reported; takes no memory until one reports any. */
export interface UsageTable {
  add(cell: number, usage: Usage): void;
  cost(pricing: Pricing | undefined): TokenCost | null;
}

interface Columns {
  prompt: Float64Array;
  completion: Float64Array;
  total: Float64Array;
  usd: Float64Array;
}

/** Sums follow the order of the cells, not of their arrival, so that they are reproducible. */
export function usageTable(cells: number): UsageTable {
  let columns: Columns | null = null;
  return {
    add(cell, usage) {
      columns ??= {
        prompt: unreported(cells),
        completion: unreported(cells),
        total: unreported(cells),
        usd: unreported(cells),
      };
      columns.prompt[cell] = usage.promptTokens ?? Number.NaN;
      columns.completion[cell] = usage.completionTokens ?? Number.NaN;
      columns.total[cell] =
        usage.totalTokens ?? sumReported([usage.promptTokens, usage.completionTokens]) ?? Number.NaN;
      columns.usd[cell] = usage.costUsd ?? Number.NaN;
    },
    cost(pricing) {
      if (columns === null) return null;
      const { prompt, completion, total, usd } = columns;
      const reportedUsd = sumReported(usd);
      const totalTokens = sumReported(total);
      if (reportedUsd === null && totalTokens === null) return null;
      const promptTokens = sumReported(prompt) ?? 0;
      const completionTokens = sumReported(completion) ?? 0;
      return {
        promptTokens,
        completionTokens,
        totalTokens: totalTokens ?? 0,
        estimatedUSD:
          reportedUsd ??
          (pricing && isPriceable(columns) ? price(pricing, promptTokens, completionTokens) : null),
      };
    },
  };
}

/** Tokens that nobody split into input and output have no price; an estimate without them would be too low. */
function isPriceable({ prompt, completion, total }: Columns): boolean {
  return total.every(
    (tokens, cell) =>
      Number.isNaN(tokens) ||
      !Number.isNaN(prompt[cell] as number) ||
      !Number.isNaN(completion[cell] as number),
  );
}

function price(pricing: Pricing, promptTokens: number, completionTokens: number): number {
  return (promptTokens * pricing.inputPerMTok + completionTokens * pricing.outputPerMTok) / 1e6;
}

function unreported(cells: number): Float64Array {
  return new Float64Array(cells).fill(Number.NaN);
}

/** The sum of the reported values (null and NaN are unreported); null where there are none. */
function sumReported(values: Iterable<number | null>): number | null {
  let sum: number | null = null;
  for (const value of values) if (value !== null && !Number.isNaN(value)) sum = (sum ?? 0) + value;
  return sum;
}
