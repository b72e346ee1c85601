import type { QueryLine } from "../../../contract/trigger-report.ts";

/** Finds the id behind a name of a skill. */
export type IdOf = (name: string) => string;

/** The skill that should get a request; null where it should only leave alone the one it is asked about. */
export function meantFor(line: QueryLine, idOf: IdOf): string | null {
  if (line.side === "should_match") return line.skillId;
  // Who sees one card alone cannot say whose request it is instead.
  return line.belongsTo !== null && isChoice(line) ? idOf(line.belongsTo) : null;
}

/** Whether a request went where it should; null where nobody can tell. */
export function isRight(line: QueryLine, meant: string | null): boolean | null {
  if (isUnanswered(line)) return null;
  if (!isChoice(line)) return line.side === "should_match" ? line.yes > line.no : line.no > line.yes;
  return meant === null ? line.chosen !== line.skillId : line.chosen === meant;
}

/** Whether a query got too few usable answers to say anything. An interval that decides nothing is an answer all the same. */
export function isUnanswered({ cause, yes, no }: Pick<QueryLine, "cause" | "yes" | "no">): boolean {
  return yes + no === 0 || cause === "judge-error" || cause === "no-verdict";
}

/** Whether a judge chose among skills; the others were asked about one alone. */
export function isChoice({ judge }: Pick<QueryLine, "judge">): boolean {
  return judge.kind !== "model";
}
