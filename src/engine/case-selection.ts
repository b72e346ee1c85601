import { matchesAny } from "../shared/text/glob.ts";

/** What is known of a case when it is chosen. */
interface SelectableCase {
  level: string;
  id: string;
  tags: readonly string[];
  /** The skill it is put to, or the suite it is in. */
  owner: string;
}

/** Whether a case is asked for; cases of every level are chosen by the same rule. */
export type WantsCase = (one: SelectableCase) => boolean;

/** The cases whose id, or `<skill>/<id>`, matches a pattern, and that have one of the tags; all where neither is given. */
export function caseSelection({
  cases,
  tags,
}: {
  cases: readonly string[];
  tags: readonly string[];
}): WantsCase | undefined {
  if (cases.length === 0 && tags.length === 0) return undefined;
  return (one) =>
    (tags.length === 0 || one.tags.some((tag) => tags.includes(tag))) &&
    (cases.length === 0 || matchesAny(one.id, cases) || matchesAny(`${one.owner}/${one.id}`, cases));
}
