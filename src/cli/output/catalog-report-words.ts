import type { CatalogReport } from "../../operations/catalog/compare/catalog-report.ts";
import { percent } from "../../report/text/format-numbers.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { countQueries } from "./describe-trigger-counts.ts";

/** A report in one sentence: how many requests get their skill, who is in whose way, what is not known. */
export function describeCatalog(report: CatalogReport): {
  words: string;
  isClean: boolean;
  isUnknown: boolean;
} {
  const { selfRouting, steals, offTopic } = report;
  const unanswered = report.unanswered + offTopic.unanswered;
  const right = selfRouting.reduce((sum, { top1, selected }) => sum + (top1 ?? selected).count, 0);
  const of = selfRouting.reduce((sum, { queries }) => sum + queries, 0);
  const stolen = steals.reduce((sum, { share }) => sum + share.count, 0);
  const thieves = new Set(steals.map(({ to }) => to)).size;
  const own =
    of === 0 ? "no queries" : `${right} of ${countQueries(of)} get their skill (${percent(right / of)})`;
  const parts = [
    own,
    ...(stolen === 0 ? [] : [`${stolen} stolen, by ${countOf(thieves, "skill")}`]),
    ...(offTopic.count === 0 ? [] : [`${countOf(offTopic.count, "off-topic request")} would load one`]),
    ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
  ];
  return {
    words: `catalog: ${parts.join(", ")}`,
    isClean: right === of && stolen === 0 && offTopic.count === 0,
    isUnknown: unanswered > 0,
  };
}
