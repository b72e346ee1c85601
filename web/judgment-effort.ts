import type { Judgment } from "../src/contract/judge.ts";
import { milliseconds, usd } from "../src/reporters/format-numbers.ts";
import { grouped } from "./grouped.ts";

/** What an answer took: `412 ms, 310 tokens in, 17 out, $0.0004`; what is not known is left out. */
export function judgmentEffort({ ms, tokensIn, tokensOut, usd: cost, cached }: Judgment): string {
  const parts = [
    milliseconds(ms),
    tokensIn === null ? "" : `${grouped(tokensIn)} tokens in`,
    tokensOut === null ? "" : `${grouped(tokensOut)} out`,
    cost === null || cost === 0 ? "" : usd(cost),
  ];
  const took = parts.filter((part) => part !== "").join(", ");
  return cached ? `from the store; it took ${took} then` : took;
}
