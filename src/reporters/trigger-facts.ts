import { countOf } from "../base/count-of.ts";
import type { TriggerResult } from "../contract/trigger-report.ts";
import { describeLenient } from "./describe-query.ts";
import { countQueries } from "./describe-trigger-counts.ts";
import { grouped, milliseconds, percent, usd } from "./format-numbers.ts";

/** What is worth knowing about the answers on one skill beside the figures: how many were unusable, what they took. */
export function triggerFacts(result: TriggerResult, flips: number): [string, string][] {
  const { invalidRate, lenient, latency, cached, metrics } = result;
  const meant = describeLenient(lenient, "");
  const facts: [string, string][] = [
    ["invalid replies", `${percent(invalidRate)}${meant === "" ? "" : ` (${meant})`}`],
    // Nobody is paid for a router.
    ...(result.judge.kind === "router" ? [] : [["cost", describeCost(result)] satisfies [string, string]]),
    ["latency", `p50 ${milliseconds(latency.p50Ms)}, p95 ${milliseconds(latency.p95Ms)}`],
  ];
  if (flips > 0) facts.unshift(["answers differ", `on ${countQueries(flips)}`]);
  if (metrics !== null && metrics.query.coverage !== 1)
    facts.unshift(["coverage", describeCoverage(metrics.query)]);
  if (cached > 0) facts.push(["from the store", countOf(cached, "answer")]);
  return facts;
}

function describeCoverage({
  tp,
  fp,
  tn,
  fn,
  asked,
  ties,
}: NonNullable<TriggerResult["metrics"]>["query"]): string {
  const inMatrix = tp + fp + tn + fn;
  return `${inMatrix} of ${countQueries(asked)} in the figures${ties > 0 ? `, ${countOf(ties, "tie")}` : ""}`;
}

function describeCost({ usd: amount, tokensIn, tokensOut }: TriggerResult): string {
  const tokens = [
    tokensIn === null ? "" : `${grouped(tokensIn)} tokens in`,
    tokensOut === null ? "" : `${grouped(tokensOut)} out`,
  ].filter((part) => part !== "");
  const money = amount === null ? "unknown" : usd(amount);
  return tokens.length === 0 ? money : `${money} (${tokens.join(", ")})`;
}
