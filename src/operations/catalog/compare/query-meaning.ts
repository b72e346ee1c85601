import type { QueryLine } from "../../../contract/trigger-report.ts";
import { groupedBy } from "../../../shared/text/sort-and-group.ts";

/** Returns the id of the skill with this name. */
export type ResolveId = (name: string) => string;

/** The skill that should get a request; null where it only should not get `line.skillId`. */
export function meantFor(line: QueryLine, resolveId: ResolveId): string | null {
  if (line.side === "should_match") return line.skillId;
  // A judge that sees one card alone cannot say whose request it is instead.
  return line.belongsTo !== null && isChoice(line) ? resolveId(line.belongsTo) : null;
}

/** Whether a request went where it should; null where that is unknown. */
export function isRight(line: QueryLine, meant: string | null): boolean | null {
  if (isUnanswered(line)) return null;
  if (!isChoice(line)) return line.side === "should_match" ? line.yes > line.no : line.no > line.yes;
  return meant === null ? line.chosen !== line.skillId : line.chosen === meant;
}

/** Whether a query got no usable answers. An undecided interval still counts as an answer. */
export function isUnanswered({ cause, yes, no }: Pick<QueryLine, "cause" | "yes" | "no">): boolean {
  return yes + no === 0 || cause === "judge-error" || cause === "no-verdict";
}

/** An answer to a query of a skill, or its absence. */
export interface AnsweredQuery {
  /** Null for requests that are meant for no skill. */
  skillId: string | null;
  isUnanswered: boolean;
}

/** Whether more of the queries of any skill got no usable answer than is accepted. */
export function hasTooManyUnanswered(queries: Iterable<AnsweredQuery>, maxShare: number): boolean {
  const groups = groupedBy(queries, ({ skillId }) => skillId);
  return [...groups.values()].some(
    (group) => group.filter((query) => query.isUnanswered).length > maxShare * group.length,
  );
}

/** Whether a judge chose among skills; the others were asked about one alone. */
export function isChoice({ judge }: Pick<QueryLine, "judge">): boolean {
  return judge.kind !== "model";
}
