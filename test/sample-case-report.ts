import { dimensions } from "../src/contract/agent-case.ts";
import type { CaseReport, DimensionScore, Failure } from "../src/contract/agent-report.ts";

/** The run that sample reports are about. */
const runId = "20260203_123456_abcd";

/** Scores that all pass. */
function passingScores(): CaseReport["scores"] {
  const score = (name: string): DimensionScore => ({
    status: "pass",
    pass: true,
    checks: [{ name: `${name} is in order`, status: "pass", exercised: true }],
  });
  const scores = Object.fromEntries(
    dimensions.map((name) => [name, score(name)]),
  ) as unknown as CaseReport["scores"];
  const chosen = { precision: 1, recall: 1, selected: ["pdf-form-filler"], rejected: [] };
  return { ...scores, trigger: { ...scores.trigger, ...chosen } };
}

export function sampleFailure(given: Partial<Failure> = {}): Failure {
  return {
    dimension: "sequence",
    code: "ForbiddenExecuted",
    message: "write_file is forbidden and was executed",
    expected: "never write_file",
    actual: "write_file",
    events: [`${runId}#12`, `${runId}#14`],
    lines: [12, 14],
    ...given,
  };
}

/** The grade of a run of a script that passed, but for what is given. */
export function sampleCaseReport(given: Partial<CaseReport> = {}): CaseReport {
  const { status = "pass" } = given;
  return {
    suite: "smoke",
    case_id: "basic_select_skill",
    run_id: runId,
    level: "L1",
    trial: 1,
    model: "mock",
    status,
    pass: status === "invalid" ? null : status === "pass",
    no_verdict: null,
    scores: passingScores(),
    failures: [],
    not_exercised: [],
    warnings: [],
    stats: {
      ...{ turns: 3, tool_calls: 1, script_runs: 1, resource_loads: 0, model_calls: 3 },
      ...{ stop_reason: "final_answer", degraded: false, isolation: "strict" },
    },
    tallies: {
      ...{ turns: 3, first_pass: 3, extracted: 0, final_valid: 3, retry_tokens: 0, tokens: 0 },
      ...{ unknown_usage: 3, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
      trigger: { selected_expected: 1, selected: 1, hits: 1, required: 1 },
    },
    quotes: {},
    grader: "1",
    ...given,
  };
}
