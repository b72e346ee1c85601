import { judgeLabel } from "../src/reporters/describe-judge.ts";
import { fraction } from "../src/reporters/format-numbers.ts";
import type { ShownQuery } from "./shown-query.ts";

/** What is worth knowing of a query besides its answers, as name and value; null is left out. */
export function queryFacts(query: ShownQuery): [string, string | null][] {
  const { yes, no, invalid, error, repeats, interval, threshold, verdict, cause, chosen } = query;
  const counted = [
    [yes, "yes"],
    [no, "no"],
    [invalid, "invalid"],
    [error, "without reply"],
  ] as const;
  return [
    ["Skill", query.skillId],
    ["Side", query.side],
    ["Belongs to", query.belongsTo],
    ["Tags", query.tags.length > 0 ? query.tags.join(", ") : null],
    ["Stored as", cause === null ? verdict : `${verdict}, cause ${cause}`],
    [
      "Answers",
      counted
        .filter(([count]) => count > 0)
        .map(([count, word]) => `${count} ${word}`)
        .join(", ") || null,
    ],
    ["Asked", repeats === 1 ? "once: unreplicated" : `${repeats} times`],
    ["Interval of yes", interval && `${fraction(interval[0])}–${fraction(interval[1])}`],
    ["Threshold", threshold === undefined || repeats === 1 ? null : fraction(threshold)],
    ["Chosen", chosen === undefined ? null : (chosen ?? "NONE")],
    ["Judge", judgeLabel(query.judge)],
    ["Prompt", query.judge.prompt],
    ["Finished", query.ts ?? null],
  ];
}

/** By which a query and what it was judged by are known on every machine. */
export function queryDigests(query: ShownQuery): [string, string | null][] {
  return [
    ["Query", query.queryId],
    ["Skill", query.skillDigest ?? null],
    ["Card", query.cardSha256 ?? null],
    ["Catalog", query.catalogSha256 ?? null],
  ];
}
