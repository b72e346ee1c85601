import type { Baselines, JudgeName, QueryLine, TriggerResult } from "../../../contract/trigger-report.ts";
import { confusionFold, hasNoQuorum } from "./fold-confusion.ts";
import { effortFold } from "./fold-efforts.ts";
import { positionFold } from "./fold-positions.ts";
import type { GoldAgreement } from "./gold-agreement.ts";
import { notesOn } from "./notes-on.ts";
import { addAnswers, emptyMatrix, triggerMetrics } from "./trigger-metrics.ts";

/** What is known of a skill's queries before they are judged. */
export interface FoldSubject {
  skillId: string;
  skillDigest: string;
  judge: JudgeName;
  repeats: number;
  threshold: number;
}

/** What the queries of a skill are held against. */
interface FoldMeasures {
  baselines: Baselines;
  /** How far the judge agrees with gold labels; null where nobody has asked. */
  agreement: GoldAgreement | null;
}

/** What the queries of one skill came to, before anybody gates on it. */
export type TriggerFigures = TriggerResult;

export interface QueryFold {
  add(line: QueryLine): void;
  figures(measures: FoldMeasures): TriggerFigures;
}

/** Folds the queries of one skill into its figures. Keeps numbers, never lines; the order of the lines does not matter. */
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
      for (const judgment of line.judgments) {
        positions.add(judgment);
        efforts.add(judgment);
      }
    },
    figures({ baselines, agreement }) {
      const query = triggerMetrics(queries);
      return {
        ...subject,
        ...shown,
        metrics: { query, judgment: triggerMetrics(judgments), baselines },
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
