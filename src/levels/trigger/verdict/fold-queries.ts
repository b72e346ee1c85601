import type { Judgment } from "../../../contract/judge.ts";
import type {
  Baselines,
  ConfusionRow,
  JudgeName,
  PositionBias,
  QueryLine,
  TriggerResult,
} from "../../../contract/trigger-report.ts";
import { rateFigure } from "../../../engine/figures/rate-figure.ts";
import { total } from "../../../shared/statistics/intervals.ts";
import { effortFold } from "./fold-efforts.ts";
import { type GoldAgreement, notesOn } from "./gold-agreement.ts";
import { addAnswers, answerMetrics, emptyMatrix, triggerMetrics } from "./trigger-metrics.ts";

/** What is known about a skill's queries before they are judged. */
interface FoldSubject {
  skillId: string;
  skillDigest: string;
  judge: JudgeName;
  repeats: number;
  threshold: number;
}

/** What the queries of a skill are compared with. */
interface FoldMeasures {
  baselines: Baselines;
  /** How far the judge agrees with gold labels; null where it is not calibrated. */
  agreement: GoldAgreement | null;
}

/** The figures of one skill's queries, before gates. */
export type TriggerFigures = TriggerResult;

interface QueryFold {
  add(line: QueryLine): void;
  figures(measures: FoldMeasures): TriggerFigures;
}

/** Folds the queries of one skill into its figures. Stores numbers, not lines; the order of the lines does not matter. */
export function queryFold(subject: FoldSubject): QueryFold {
  const { skillId, judge } = subject;
  const shown = { passed: 0, failed: 0, inconclusive: 0 };
  const queries = emptyMatrix();
  const judgments = emptyMatrix();
  const confusion = confusionFold(skillId);
  const positions = positionFold();
  const efforts = effortFold({ isPaid: judge.kind !== "router" });
  return {
    add(line) {
      const { side, yes, no, repeats } = line;
      shown[shownAs(line)]++;
      queries.asked++;
      if (!hasNoQuorum(line)) {
        addAnswers(queries, side, { yes: Number(yes > no), no: Number(no > yes) });
        queries.ties += Number(yes === no);
      }
      judgments.asked += repeats;
      addAnswers(judgments, side, { yes, no });
      confusion.add(line);
      positions.add(line.judgments);
      for (const judgment of line.judgments) efforts.add(judgment);
    },
    figures({ baselines, agreement }) {
      const query = triggerMetrics(queries);
      return {
        ...subject,
        ...shown,
        metrics: { query, judgment: answerMetrics(judgments), baselines },
        confusion: confusion.rows(),
        positionBias: positions.bias(),
        ...efforts.figures(),
        notes: notesOn({ judge, query, baselines, agreement }),
      };
    },
  };
}

/** A judge without a usable answer is a failed test; anything else without verdict is inconclusive. */
function shownAs({
  verdict,
  cause,
}: Pick<QueryLine, "verdict" | "cause">): "passed" | "failed" | "inconclusive" {
  if (verdict === "pass") return "passed";
  return verdict === "fail" || cause === "no-verdict" ? "failed" : "inconclusive";
}

interface PositionFold {
  /** Takes all answers to one query: they resemble each other. */
  add(judgments: readonly Judgment[]): void;
  /** Null where no judge chose among shuffled cards. */
  bias(): PositionBias | null;
}

/** Folds the positions of the chosen cards. */
function positionFold(): PositionFold {
  const queries = { of: [] as number[], first: [] as number[], last: [] as number[] };
  let expected = 0;
  const third = (counts: readonly number[]): PositionBias["first"] => {
    const of = total(queries.of);
    const { interval = null } = rateFigure({ passed: counts, trials: queries.of });
    const count = total(counts);
    return { count, of, rate: count / of, interval, expected: expected / of };
  };
  return {
    add(judgments) {
      let [of, first, last] = [0, 0, 0];
      for (const judgment of judgments) {
        if (!("chosen" in judgment) || typeof judgment.chosen !== "string") continue;
        const { order = [], chosen } = judgment;
        const position = order.indexOf(chosen);
        if (position === -1 || order.length < 3) continue; // fewer cards have no thirds
        const size = Math.round(order.length / 3);
        of++;
        expected += size / order.length;
        if (position < size) first++;
        if (position >= order.length - size) last++;
      }
      if (of === 0) return;
      queries.of.push(of);
      queries.first.push(first);
      queries.last.push(last);
    },
    bias: () => (queries.of.length === 0 ? null : { first: third(queries.first), last: third(queries.last) }),
  };
}

interface ConfusionFold {
  add(line: QueryLine): void;
  /** Its own row first, then those its negatives belong to, by id, then the row without a skill; null where no judge chose. */
  rows(): ConfusionRow[] | null;
}

/** Folds which skill was chosen for which intended skill. */
function confusionFold(skillId: string): ConfusionFold {
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

/** A row with its columns in the order of their ids. */
function confusionRow(intended: string | null, { chosen, none, undecided }: ConfusionCounts): ConfusionRow {
  const columns = [...chosen].sort(([a], [b]) => (a < b ? -1 : 1));
  return { intended, chosen: Object.fromEntries(columns), none, undecided };
}

/** With too few valid answers the query is not answered, whatever they say. */
function hasNoQuorum({ cause }: Pick<QueryLine, "cause">): boolean {
  return cause === "judge-error" || cause === "no-verdict";
}
