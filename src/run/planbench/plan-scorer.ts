import { shorten } from "../../base/visible-text.ts";
import type { HarnessFault } from "../../contract/cause.ts";
import type { PlanSample } from "../../contract/planbench-report.ts";
import type { Score } from "../../contract/score.ts";
import type { Scorer } from "../../contract/scorer.ts";

/** The output of a sample says how it ended; this only repeats it in the words of the engine. */
export const planScorer: Scorer = {
  type: "planbench",
  identity: { type: "planbench" },
  score: ({ output }) => scoreOf(output as unknown as PlanSample),
};

function scoreOf({ outcome, cause, problem, violations }: PlanSample): Score {
  if (outcome === "error")
    return {
      score: null,
      cause: (cause as HarnessFault | null) ?? "provider-error",
      message: problem ?? "there is no outcome",
    };
  const words = violations.map(({ pointer, reason }) => `${pointer} ${reason}`.trim());
  return {
    score: outcome === "ok" ? 1 : 0,
    passed: outcome === "ok",
    reason: words.length === 0 ? null : shorten(words.join("; "), 400),
  };
}
