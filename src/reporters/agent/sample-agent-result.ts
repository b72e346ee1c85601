import { dimensions } from "../../contract/agent-case.ts";
import type { AgentResult, CaseReport, DimensionScore, Failure } from "../../contract/agent-report.ts";

/** The run that sample results are of. */
export const runId = "20260203_123456_abcd";

type Scores = CaseReport["scores"];

/** Scores of which all pass, but for what is given. */
export function sampleScores(given: Partial<Record<keyof Scores, DimensionScore["status"]>> = {}): Scores {
  const score = (name: keyof Scores): DimensionScore => {
    const status = given[name] ?? "pass";
    return {
      status,
      pass: status === "pass" ? true : status === "fail" ? false : null,
      checks:
        status === "not_applicable"
          ? []
          : [
              { name: `${name} is in order`, status, exercised: true },
              { name: `${name} is complete`, status: "pass", exercised: false },
            ],
    };
  };
  const seven = Object.fromEntries(dimensions.map((name) => [name, score(name)])) as unknown as Scores;
  const chosen = { precision: 1, recall: 1, selected: ["pdf-form-filler"], rejected: [] };
  const trigger =
    given.trigger === "not_applicable"
      ? { precision: null, recall: null, selected: [], rejected: [] }
      : chosen;
  return {
    ...seven,
    trigger: { ...seven.trigger, ...trigger },
    ...(given.unit !== undefined && { unit: score("unit") }),
    ...(given.rubric !== undefined && { rubric: score("rubric") }),
  };
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

/** The cell of a case with a script that passed, but for what is given. */
export function sampleAgentResult(given: Partial<AgentResult> = {}): AgentResult {
  const { status = "pass", run_id = runId, case_id = "basic_select_skill" } = given;
  return {
    suite: "smoke",
    case_id,
    run_id,
    level: "L1",
    trial: 1,
    model: "mock",
    status,
    pass: status === "invalid" ? null : status === "pass",
    no_verdict: null,
    scores: sampleScores(),
    failures: [],
    not_exercised: [],
    warnings: [],
    stats: {
      turns: 3,
      tool_calls: 1,
      script_runs: 1,
      resource_loads: 0,
      model_calls: 3,
      stop_reason: "final_answer",
      degraded: false,
      isolation: "strict",
    },
    tallies: {
      turns: 3,
      first_pass: 3,
      extracted: 0,
      final_valid: 3,
      retry_tokens: 0,
      tokens: 0,
      unknown_usage: 3,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
      trigger: { selected_expected: 1, selected: 1, hits: 1, required: 1 },
    },
    quotes: {},
    grader: "1",
    case_digest: `sha256:${case_id}`,
    cell_key: `sha256:${case_id}${given.model ?? ""}${given.trial ?? 1}${given.condition ?? ""}`,
    tags: [],
    latency_ms: 12.4,
    run_dir: run_id === null ? null : `.agent/runs/${run_id}`,
    condition: "with-skills",
    ...given,
  };
}
