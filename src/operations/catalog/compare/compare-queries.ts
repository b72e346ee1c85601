import type { QueryLine } from "../../../contract/trigger-report.ts";
import { foldQuery } from "../../../levels/trigger/queries/make-query.ts";
import { queryName } from "../../../levels/trigger/verdict/query-line.ts";
import type { ComparedQuery, QueryChange } from "./catalog-report.ts";
import { type IdOf, isRight, meantFor } from "./query-meaning.ts";

/** The answers about two states of a catalog, and how to read them. */
export interface ComparedLines {
  /** About the queries of the base, each state by itself. */
  before: readonly QueryLine[];
  after: readonly QueryLine[];
  idOf: IdOf;
  /** Skills of the new state: requests for others cannot be compared. */
  isThere(skillId: string): boolean;
  isDropped(line: QueryLine): boolean;
  /** Why this skill was chosen, as far as the judge tells. */
  becauseOf(line: QueryLine, skillId: string): string | null;
}

/** What became of every request of the base; a text that two skills say is meant for a third counts once. */
export function compareQueries(lines: ComparedLines): ComparedQuery[] {
  const { idOf, isThere } = lines;
  const after = new Map(lines.after.map((line) => [queryName(line), line]));
  const seen = new Set<string>();
  const compared: ComparedQuery[] = [];
  // A skill's own request comes before the same one in the tests of another.
  for (const before of [...lines.before].sort((a, b) => Number(isForeign(a)) - Number(isForeign(b)))) {
    const meant = meantFor(before, idOf);
    const then = after.get(queryName(before));
    if (then === undefined || (meant !== null && !isThere(meant))) continue;
    const key = JSON.stringify([meant ?? [before.skillId], foldQuery(before.query)]);
    if (seen.has(key)) continue;
    seen.add(key);
    compared.push(compareQuery(before, then, meant, lines));
  }
  return compared;
}

/** Whether a request stands in the tests of a skill that should not get it. */
function isForeign({ side }: QueryLine): boolean {
  return side === "should_not_match";
}

function compareQuery(
  before: QueryLine,
  after: QueryLine,
  meant: string | null,
  { isDropped, becauseOf }: ComparedLines,
): ComparedQuery {
  const { skillId, queryId, query, side } = before;
  const { chosen } = after;
  const change = changeOf(isRight(before, meant), isRight(after, meant), meant !== null && chosen != null);
  const isTold = change !== "kept" && change !== "unknown";
  return {
    skillId,
    queryId,
    query,
    side,
    meantFor: meant,
    change,
    ...(before.chosen !== undefined && { before: before.chosen }),
    ...(chosen !== undefined && { after: chosen }),
    because: isTold ? ((chosen == null ? null : becauseOf(after, chosen)) ?? after.reason) : null,
    isDropped: isDropped(before),
  };
}

function changeOf(before: boolean | null, after: boolean | null, isElsewhere: boolean): QueryChange {
  if (before === null || after === null) return "unknown";
  if (before) return after ? "kept" : isElsewhere ? "moved" : "lost";
  return after ? "gained" : "still-wrong";
}
