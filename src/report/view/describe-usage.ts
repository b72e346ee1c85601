import type { Usage } from "../../contract/outcome.ts";
import { usd } from "../text/format-numbers.ts";

/** Tokens and money as far as they are known: `12 in, 3 out, 15 in all, $0.0042`; empty where nothing is. */
export function describeUsage({ promptTokens, completionTokens, totalTokens, costUsd }: Usage): string {
  const parts = [
    promptTokens === null ? "" : `${promptTokens} in`,
    completionTokens === null ? "" : `${completionTokens} out`,
    totalTokens === null ? "" : `${totalTokens} in all`,
    costUsd === null ? "" : usd(costUsd),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
