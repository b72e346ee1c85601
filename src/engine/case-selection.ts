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

/** The cases that are asked for, and which patterns of those that were typed no case has matched so far. */
export interface CaseSelection {
  wants: WantsCase | undefined;
  unmatched(): string[];
}

/** The cases whose id, or `<skill>/<id>`, matches a pattern, and that have one of the tags; all where neither is given. */
export function caseSelection({
  cases,
  tags,
}: {
  cases: readonly string[];
  tags: readonly string[];
}): CaseSelection {
  const open = new Set(cases);
  if (cases.length === 0 && tags.length === 0) return { wants: undefined, unmatched: () => [] };
  return {
    wants({ id, tags: own, owner }) {
      const matched = cases.filter((one) => matchesAny(id, [one]) || matchesAny(`${owner}/${id}`, [one]));
      for (const pattern of matched) open.delete(pattern);
      const isTagged = tags.length === 0 || own.some((tag) => tags.includes(tag));
      return isTagged && (cases.length === 0 || matched.length > 0);
    },
    unmatched: () => [...open],
  };
}
