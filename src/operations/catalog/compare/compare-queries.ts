import type { QueryLine } from "../../../contract/trigger-report.ts";
import { foldQuery } from "../../../levels/trigger/queries/make-query.ts";
import { queryName } from "../../../levels/trigger/verdict/query-line.ts";
import type { ComparedQuery, QueryChange } from "./catalog-report.ts";
import { isRight, meantFor, type ResolveId } from "./query-meaning.ts";

/** The answers about two states of a catalog, and how to read them. */
export interface ComparedLines {
  /** About the queries of the base, each state by itself. */
  before: readonly QueryLine[];
  after: readonly QueryLine[];
  resolveId: ResolveId;
  /** Skills of the new state: requests for others cannot be compared. */
  isThere(skillId: string): boolean;
  isDropped(line: QueryLine): boolean;
  /** Why this skill was chosen; null where the judge gave no reason. */
  explainChoice(line: QueryLine, skillId: string): string | null;
}

/** Compares every request of the base. A text that two skills assign to a third counts once. */
export function compareQueries(lines: ComparedLines): ComparedQuery[] {
  const { resolveId, isThere } = lines;
  const after = new Map(lines.after.map((line) => [queryName(line), line]));
  const seen = new Set<string>();
  const compared: ComparedQuery[] = [];
  // A skill's own request comes before the same one in the tests of another.
  for (const before of [...lines.before].sort((a, b) => Number(isForeign(a)) - Number(isForeign(b)))) {
    const meant = meantFor(before, resolveId);
    const then = after.get(queryName(before));
    if (then === undefined || (meant !== null && !isThere(meant))) continue;
    const key = JSON.stringify([meant ?? [before.skillId], foldQuery(before.query)]);
    if (seen.has(key)) continue;
    seen.add(key);
    compared.push(compareQuery(before, then, meant, lines));
  }
  return compared;
}

/** Whether a request is in the tests of a skill that should not get it. */
function isForeign({ side }: QueryLine): boolean {
  return side === "should_not_match";
}

function compareQuery(
  before: QueryLine,
  after: QueryLine,
  meant: string | null,
  { isDropped, explainChoice }: ComparedLines,
): ComparedQuery {
  const { skillId, queryId, query, side } = before;
  const { chosen } = after;
  const change = classifyChange(
    isRight(before, meant),
    isRight(after, meant),
    meant !== null && chosen != null,
  );
  const isReported = change !== "kept" && change !== "unknown";
  return {
    skillId,
    queryId,
    query,
    side,
    meantFor: meant,
    change,
    ...(before.chosen !== undefined && { before: before.chosen }),
    ...(chosen !== undefined && { after: chosen }),
    because: isReported ? ((chosen == null ? null : explainChoice(after, chosen)) ?? after.reason) : null,
    isDropped: isDropped(before),
  };
}

function classifyChange(before: boolean | null, after: boolean | null, isElsewhere: boolean): QueryChange {
  if (before === null || after === null) return "unknown";
  if (before) return after ? "kept" : isElsewhere ? "moved" : "lost";
  return after ? "gained" : "still-wrong";
}
