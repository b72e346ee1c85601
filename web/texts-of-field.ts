import type { MatrixField } from "./confusion-matrix.tsx";
import type { ShownQuery } from "./shown-query.ts";

/** Finds the requests that a field of the confusion matrix counts. */
export function textsOfField(queries: readonly ShownQuery[]): (field: MatrixField) => readonly string[] {
  const texts = new Map<string, string[]>();
  for (const { side, skillId, belongsTo, cause, query, ...rest } of queries) {
    // Too few valid answers make no choice, whatever they say.
    const chosen = cause === "judge-error" || cause === "no-verdict" ? undefined : rest.chosen;
    const key = keyOf({ intended: side === "should_match" ? skillId : belongsTo, chosen });
    const list = texts.get(key);
    if (list === undefined) texts.set(key, [query]);
    else list.push(query);
  }
  return (field) => texts.get(keyOf(field)) ?? [];
}

function keyOf({ intended, chosen }: MatrixField): string {
  return JSON.stringify([intended, chosen === undefined ? 0 : chosen]);
}
