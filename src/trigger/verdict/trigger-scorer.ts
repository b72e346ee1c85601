import * as z from "zod";
import { Judgment } from "../../contract/judge.ts";
import type { Score } from "../../contract/score.ts";
import type { Answer, Scorer } from "../../contract/scorer.ts";
import type { TriggerCause } from "../../contract/trigger-report.ts";
import { decideQuery, type QueryCase } from "./decide-query.ts";
import { isCalibratedEnough } from "./gold-agreement.ts";

/** Changes when the same judgments would get another verdict. */
const rulesVersion = 1;

export interface TriggerScorer extends Scorer {
  readonly type: "trigger";
  score(answer: Pick<Answer, "output">): Score;
}

/** Scores the judgments on one query: they are the output of its cell. */
export function triggerScorer(asked: Omit<QueryCase, "judgments">): TriggerScorer {
  const { side, repeats, threshold, agreement } = asked;
  return {
    type: "trigger",
    identity: {
      type: "trigger",
      rulesVersion,
      side,
      repeats,
      threshold,
      isCalibratedEnough: isCalibratedEnough(agreement),
    },
    score({ output }) {
      const judgments = z.array(Judgment).parse(output);
      const { verdict, cause, reason } = decideQuery({ judgments, ...asked });
      if (verdict === "invalid")
        return { score: null, cause: cause as TriggerCause, message: reason as string };
      return { score: Number(verdict === "pass"), passed: verdict === "pass", reason };
    },
  };
}
