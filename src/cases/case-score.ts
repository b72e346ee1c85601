import { agentDetails, asJson, type RunEvent } from "../contract/agent-details.ts";
import type { CaseReport } from "../contract/agent-report.ts";
import type { HarnessFault } from "../contract/cause.ts";
import type { Answered } from "../contract/outcome.ts";
import type { JudgeRecord } from "../contract/result.ts";
import type { Score } from "../contract/scorer.ts";
import { pluralize } from "../shared/text/phrases.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import { unseenScores } from "./grade/dimension.ts";
import { noStats, noTallies } from "./grade/tallies.ts";

/** What is known of a run besides what its grader says. */
interface RunFacts {
  runDir?: string | null;
  judge?: JudgeRecord | null;
  timeline?: readonly RunEvent[];
}

/** What a grader says about a case, in the words of the engine. */
export function caseScore(
  report: CaseReport,
  { runDir = null, judge = null, timeline = [] }: RunFacts = {},
): Score {
  const { status, failures, no_verdict, warnings } = report;
  const graded = {
    details: asJson(agentDetails(report, runDir, timeline)),
    warnings,
    ...(judge !== null && { judge }),
  };
  if (status === "invalid") {
    const { code, message } = no_verdict ?? { code: "NotObserved", message: "nothing was observed" };
    return { ...graded, score: null, cause: causes[code] ?? "no-verdict", message };
  }
  return {
    ...graded,
    score: status === "pass" ? 1 : 0,
    passed: status === "pass",
    reason: failures.length === 0 ? null : failureWords(failures),
  };
}

/** How many failures the reason of a cell names, each in a line of its own. */
export const namedFailures = 3;
const failureLimit = 400;

function failureWords(failures: CaseReport["failures"]): string {
  const more = failures.length - namedFailures;
  return [
    ...failures
      .slice(0, namedFailures)
      .map(
        ({ dimension, code, message }) => `${dimension}: ${shortenWords(message, failureLimit)} (${code})`,
      ),
    ...(more > 0 ? [`and ${pluralize(more, "more failure")}`] : []),
  ].join("\n");
}

/** The report where no grader ran. */
export function ungradedReport(
  given: Pick<CaseReport, "suite" | "case_id" | "level" | "trial" | "model" | "grader">,
): CaseReport {
  return {
    ...given,
    run_id: null,
    status: "invalid",
    pass: null,
    no_verdict: null,
    scores: unseenScores(),
    failures: [],
    not_exercised: [],
    warnings: [],
    stats: noStats,
    tallies: noTallies,
    quotes: {},
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
  "judge-unreliable": "judge-unreliable",
  "judge-unavailable": "judge-unavailable",
  "judge-unparseable": "judge-unparseable",
  SandboxHid: "sandbox-hid",
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
