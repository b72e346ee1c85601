import type { Usage } from "../contract/outcome.ts";

/** What several calls used together. A sum with an unknown part is unknown; so is one of nothing. */
export function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  const [first = null, ...rest] = usages;
  return rest.reduce(plus, first);
}

function plus(sum: Usage | null, usage: Usage | null): Usage | null {
  if (sum === null || usage === null) return null;
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    promptTokens: add(sum.promptTokens, usage.promptTokens),
    completionTokens: add(sum.completionTokens, usage.completionTokens),
    totalTokens: add(sum.totalTokens, usage.totalTokens),
    costUsd: add(sum.costUsd, usage.costUsd),
  };
}
