import { shorten } from "../../base/visible-text.ts";
import { agentDetails, asJson } from "../../contract/agent-details.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { HarnessFault } from "../../contract/cause.ts";
import type { Answered } from "../../contract/outcome.ts";
import type { JudgeRecord } from "../../contract/result.ts";
import type { Score } from "../../contract/score.ts";

/** What a grader says about a case, in the words of the engine. */
export function caseScore(
  report: CaseReport,
  { runDir = null, judge = null }: { runDir?: string | null; judge?: JudgeRecord | null } = {},
): Score {
  const { status, failures, no_verdict, warnings } = report;
  const graded = {
    details: asJson(agentDetails(report, runDir)),
    warnings,
    ...(judge !== null && { judge }),
  };
  if (status === "invalid") {
    const { code, message } = no_verdict ?? { code: "NotObserved", message: "nothing was observed" };
    return { ...graded, score: null, cause: causes[code] ?? "no-verdict", message };
  }
  const words = failures.map(({ dimension, code, message }) => `${dimension}: ${message} (${code})`);
  return {
    ...graded,
    score: status === "pass" ? 1 : 0,
    passed: status === "pass",
    reason: words.length === 0 ? null : shorten(words.join("; "), 400),
  };
}

/** Why there is no verdict, in the words of the engine. */
const causes: Readonly<Record<string, HarnessFault>> = {
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

/** What a model used, as far as all its calls say; a script uses nothing. */
export function usageIn(
  model: string,
  tallies: Pick<CaseReport["tallies"], "unknown_usage" | "input_tokens" | "output_tokens" | "cost_usd">,
): Pick<Answered, "usage"> {
  if (model === "mock" || tallies.unknown_usage > 0) return {};
  const { input_tokens: promptTokens, output_tokens: completionTokens, cost_usd: costUsd } = tallies;
  return { usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, costUsd } };
}
