import type { ConfusionRow, QueryLine } from "../../../contract/trigger-report.ts";

export interface ConfusionFold {
  add(line: QueryLine): void;
  /** Its own row first, then those its negatives belong to, by id, then that of nobody; null where no judge ever chose. */
  rows(): ConfusionRow[] | null;
}

/** Folds who was chosen for requests that were meant for somebody. */
export function confusionFold(skillId: string): ConfusionFold {
  const rows = new Map<string | null, ConfusionCounts>();
  let hasChoices = false;
  return {
    add(line) {
      hasChoices ||= line.judgments.some((one) => "chosen" in one && one.chosen !== undefined);
      const intended = line.side === "should_match" ? skillId : line.belongsTo;
      const row = rows.get(intended) ?? { chosen: new Map(), none: 0, undecided: 0 };
      rows.set(intended, row);
      const choice = hasNoQuorum(line) ? undefined : line.chosen;
      if (choice === undefined) row.undecided++;
      else if (choice === null) row.none++;
      else row.chosen.set(choice, (row.chosen.get(choice) ?? 0) + 1);
    },
    rows() {
      if (!hasChoices) return null;
      const others = [...rows.keys()].filter((id) => id !== null && id !== skillId).sort();
      return [skillId, ...others, null].flatMap((intended) => {
        const counts = rows.get(intended);
        return counts === undefined ? [] : [confusionRow(intended, counts)];
      });
    },
  };
}

interface ConfusionCounts {
  chosen: Map<string, number>;
  none: number;
  undecided: number;
}

/** A row whose columns stand in the order of their ids. */
function confusionRow(intended: string | null, { chosen, none, undecided }: ConfusionCounts): ConfusionRow {
  const columns = [...chosen].sort(([a], [b]) => (a < b ? -1 : 1));
  return { intended, chosen: Object.fromEntries(columns), none, undecided };
}

/** Too few valid answers: whatever most of those say, the query was not answered. */
export function hasNoQuorum({ cause }: Pick<QueryLine, "cause">): boolean {
  return cause === "judge-error" || cause === "no-verdict";
}
