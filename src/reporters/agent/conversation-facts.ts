import { countOf } from "../../base/count-of.ts";
import type { ConversationRates } from "../../contract/agent-report.ts";
import { type MetricFact, rateFact } from "./metric-facts.ts";

/** What the figures of conversations are called, in the order they are shown. */
const names: Readonly<Record<Exclude<keyof ConversationRates, "cells">, string>> = {
  hit: "right skills hit",
  protocol: "calls read at first",
  protocol_after_correction: "calls read in the end",
  calls: "expected calls made",
  continuation: "went on to an answer",
  output: "output as promised",
};

/** How conversations did, each dimension by itself. What was not observed is in no rate. */
export function conversationFacts(rates: ConversationRates): MetricFact[] {
  return (Object.keys(names) as (keyof typeof names)[]).map((name) =>
    rateFact(names[name], rates[name], "conversation"),
  );
}

/** What the figures are over. */
export function conversationsOver({ cells }: ConversationRates): string {
  return `Over ${countOf(cells, "conversation")}; what was not observed is in no figure`;
}
