import type { QueryLine } from "../../../contract/trigger-report.ts";

/** Whether a query got too few usable answers to say anything. An interval that decides nothing is an answer all the same. */
export function isUnanswered({ cause, yes, no }: Pick<QueryLine, "cause" | "yes" | "no">): boolean {
  return yes + no === 0 || cause === "judge-error" || cause === "no-verdict";
}

/** Whether a judge chose among skills; the others were asked about one alone. */
export function isChoice({ judge }: Pick<QueryLine, "judge">): boolean {
  return judge.kind !== "model";
}
