import type { Judgment } from "../contract/judge.ts";
import type { QueryLine, QuerySummary, TriggerResult } from "../contract/trigger-report.ts";

export type QueryStanding = "passed" | "failed" | "inconclusive";

/** How people read a query: without a usable answer it is a failed test, without a decision it is open. */
export function standingOf({ verdict, cause }: Pick<QuerySummary, "verdict" | "cause">): QueryStanding {
  if (verdict === "pass") return "passed";
  return verdict === "fail" || cause === "no-verdict" ? "failed" : "inconclusive";
}

/** What came of a query, in plain text: `should_match: would not load, yes 1/8 [0.022–0.471]`. */
export function describeQuery(
  query: QuerySummary & Partial<Pick<QueryLine, "skillId" | "judgments">>,
): string {
  const parts = [whatCame(query), describeAnswers(query), lenientHint(query)].filter((part) => part !== "");
  return `${query.side}: ${parts.join(", ")}`;
}

/** The answers that count, with the interval of their rate: `yes 7/8 [0.529–0.978]`; empty where there are none. */
export function describeAnswers({ yes, no, interval }: QuerySummary): string {
  if (yes + no === 0) return "";
  const bounds = interval === null ? "" : ` [${short(interval[0])}–${short(interval[1])}]`;
  return `yes ${yes}/${yes + no}${bounds}`;
}

/** What unusable replies meant: `9 of 10 invalid replies meant yes`; empty where there were none. It decides nothing. */
export function describeLenient(
  { yes, no, neither }: TriggerResult["lenient"],
  things = " invalid replies",
): string {
  const all = yes + no + neither;
  if (all === 0) return "";
  if (yes + no === 0) return `0 of ${all}${things} meant yes or no`;
  const [most, least, word, other] = yes >= no ? [yes, no, "yes", "no"] : [no, yes, "no", "yes"];
  return `${most} of ${all}${things} meant ${word}${least > 0 ? ` and ${least} ${other}` : ""}`;
}

/** How a query ended, in words: `would not load, chose slides instead`. */
export function whatCame(query: QuerySummary & Partial<Pick<QueryLine, "skillId" | "judgments">>): string {
  const { verdict, cause, side, repeats, error, invalid } = query;
  switch (cause) {
    case null:
      if (verdict === "pass") return "passed";
      return side === "should_match" ? `would not load${chosenInstead(query)}` : "would load";
    case "undecided":
      return "undecided";
    case "judge-error":
      return `the judge did not answer ${error} of ${repeats} times`;
    case "uncalibrated":
      return "the judge agrees too little with the gold labels to decide";
    case "no-verdict":
      return `no usable answer${query.judgments === undefined ? ` ${invalid} of ${repeats} times` : ""}`;
    default:
      return cause satisfies never;
  }
}

function chosenInstead({ chosen, skillId }: QuerySummary & { skillId?: string }): string {
  if (chosen === undefined || chosen === skillId) return "";
  return chosen === null ? ", chose none" : `, chose ${chosen} instead`;
}

/** Only where replies kept the query from its verdict: elsewhere they are counted for the whole skill. */
function lenientHint({ cause, judgments = [] }: QuerySummary & { judgments?: readonly Judgment[] }): string {
  if (cause !== "no-verdict") return "";
  const meant = { yes: 0, no: 0, neither: 0 };
  for (const judgment of judgments)
    if (judgment.outcome === "invalid") meant[judgment.lenientDecision ?? "neither"]++;
  return describeLenient(meant);
}

function short(value: number): string {
  return String(Number(value.toFixed(3)));
}
