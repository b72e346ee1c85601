import { shorten } from "../../base/visible-text.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { HarnessFault } from "../../contract/cause.ts";
import type { Score } from "../../contract/score.ts";
import type { Scorer } from "../../contract/scorer.ts";

/** The output of a cell of an agent case is what the grader said; this only repeats it in the words of the engine. */
export const reportScorer: Scorer = {
  type: "agent",
  identity: { type: "agent" },
  score: ({ output }) => scoreOf(output as unknown as CaseReport),
};

export function scoreOf({ status, failures, no_verdict }: CaseReport): Score {
  if (status === "invalid") {
    const { code, message } = no_verdict ?? { code: "NotObserved", message: "nothing was observed" };
    return { score: null, cause: causeOf[code] ?? "no-verdict", message };
  }
  const words = failures.map(({ dimension, code, message }) => `${dimension}: ${message} (${code})`);
  return {
    score: status === "pass" ? 1 : 0,
    passed: status === "pass",
    reason: words.length === 0 ? null : shorten(words.join("; "), 400),
  };
}

/** Why there is no verdict, in the words of the engine. */
const causeOf: Readonly<Record<string, HarnessFault>> = {
  LogDamaged: "log-damaged",
  RunIncomplete: "log-damaged",
  NotObserved: "not-observed",
  model_unavailable: "model-unavailable",
  CassetteMiss: "cassette-miss",
  SkillChanged: "skill-changed",
  SandboxUnavailable: "sandbox-refused",
  internal_error: "agent-failed",
  cancelled: "agent-failed",
};
