import { dimensions } from "../../contract/agent-case.ts";
import type {
  AgentMetrics,
  AgentReport,
  AgentResult,
  AgentResultReader,
  CaseSummary,
} from "../../contract/agent-report.ts";
import { runId, sampleAgentResult, sampleFailure, sampleScores } from "./sample-agent-result.ts";

/** A report over these results: totals and cases are counted, the rest is made up, but for what is given. */
export function sampleAgentReport(
  results: readonly AgentResult[],
  given: Partial<AgentReport> = {},
): AgentReport {
  const counted = results.filter(({ condition }) => condition === "with-skills");
  const count = (status: AgentResult["status"]) => counted.filter((one) => one.status === status).length;
  const [pass, fail, invalid] = [count("pass"), count("fail"), count("invalid")];
  const { skipped = [] } = given;
  const cases = casesOf(counted);
  const models = new Set(results.map(({ model }) => model).filter((model) => model !== "none"));
  return {
    schemaVersion: 1,
    command: "agent eval",
    tool: { name: "eval-skills", version: "0.0.0-test" },
    suite: [...new Set(results.map(({ suite }) => suite))].join(", "),
    run: {
      id: "r-20260203-123456-abcd",
      startedAt: "2026-02-03T12:34:56.789Z",
      finishedAt: "2026-02-03T12:35:02.100Z",
      models: [...models],
      seed: 0,
      concurrency: 4,
      store: "./eval-skills.db",
      runs_dir: ".agent/runs",
      isolation: { level: "strict", backend: "bubblewrap 0.11.0", network: "none", unproven: [] },
    },
    totals: {
      cases: new Set(cases.map(({ suite, case_id }) => `${suite}/${case_id}`)).size + skipped.length,
      skipped: skipped.length,
      cells: counted.length,
      pass,
      fail,
      invalid,
    },
    pass_rate: {
      value: pass + fail === 0 ? null : pass / (pass + fail),
      interval: pass + fail === 0 ? null : { lower: 0.376, upper: 0.964 },
      method: "wilson",
    },
    metrics: null,
    gates: [],
    cases,
    skipped,
    warnings: [],
    files: ["reports/agent-result.json", "reports/agent-result.html"],
    exitCode: invalid > 0 ? 3 : fail > 0 ? 1 : 0,
    ...given,
  };
}

export function agentReader(results: readonly AgentResult[]): AgentResultReader {
  return () => results;
}

function casesOf(results: readonly AgentResult[]): CaseSummary[] {
  const cases = new Map<string, CaseSummary>();
  for (const { suite, case_id, case_digest, model, status } of results) {
    const key = JSON.stringify([suite, case_id, model]);
    const known = cases.get(key) ?? {
      ...{ suite, case_id, case_digest, model, pass: null, trials: 0, verdicts: 0, passed: 0 },
      pass_rate: null,
    };
    const verdicts = known.verdicts + Number(status !== "invalid");
    const passed = known.passed + Number(status === "pass");
    const pass_rate = verdicts === 0 ? null : passed / verdicts;
    const trials = known.trials + 1;
    const pass = pass_rate === null ? null : pass_rate === 1;
    cases.set(key, { ...known, trials, verdicts, passed, pass_rate, pass });
  }
  return [...cases.values()];
}

const model = "openai/gpt-5-mini";
const real = { suite: "triggering", level: "L2", model } as const;

const event = (seq: number, type: string, data: object) =>
  JSON.stringify({ v: 1, seq, ts: "2026-02-03T12:34:57.020Z", run_id: runId, turn: 2, type, data });

/** Cells of every kind: passed, failed in several ways, without verdict, pure, of a real model, of its twin without skills. */
export const fullAgentResults: readonly AgentResult[] = [
  sampleAgentResult({
    title: "Chooses the skill that fills forms",
    tags: ["forms"],
    not_exercised: ["forbid write_file"],
  }),
  sampleAgentResult({
    case_id: "saves_nothing",
    status: "fail",
    run_id: "20260203_123457_0c1d",
    run_dir: ".agent/runs/20260203_123457_0c1d",
    tags: ["forms", "files"],
    scores: sampleScores({ sequence: "fail", output: "fail", streaming: "not_applicable" }),
    failures: [
      sampleFailure(),
      sampleFailure({
        dimension: "output",
        code: "OutputContains",
        message: "none of these is in the text: “已完成”, “表单”",
        expected: ["已完成", "表单"],
        actual: "## Done\n\nThe form is *filled*.",
        events: [`${runId}#31`],
        lines: [31, 31],
      }),
    ],
    quotes: {
      "12": event(12, "action_planned", { call_id: "c2", action: { type: "call_tool", tool: "write_file" } }),
      "14": event(14, "action_executed", { call_id: "c2", tool: "write_file", started: true, ok: true }),
      "31": event(31, "run_finished", { status: "completed", stop_reason: "final_answer", degraded: false }),
    },
    not_exercised: ["forbid network_request"],
    warnings: ["an unknown type of event was ignored: telemetry"],
  }),
  sampleAgentResult({
    case_id: "log_was_cut",
    status: "invalid",
    run_id: "20260203_123458_77aa",
    run_dir: ".agent/runs/20260203_123458_77aa",
    no_verdict: { code: "RunIncomplete", message: "the log has no run_finished" },
    scores: sampleScores({
      budget: "not_observed",
      output: "not_observed",
      streaming: "not_observed",
      trigger: "not_applicable",
    }),
    stats: {
      ...sampleAgentResult().stats,
      stop_reason: null,
      degraded: null,
      isolation: null,
    },
  }),
  sampleAgentResult({
    suite: "guards",
    case_id: "path_with_dots",
    run_id: null,
    level: "L0",
    model: "none",
    scores: sampleScores({
      ...Object.fromEntries(dimensions.map((name) => [name, "not_applicable"])),
      unit: "pass",
    }),
  }),
  sampleAgentResult({ ...real, case_id: "fills_a_form", latency_ms: 2_140 }),
  sampleAgentResult({ ...real, case_id: "fills_a_form", trial: 2, latency_ms: 1_890 }),
  sampleAgentResult({
    ...real,
    case_id: "weather",
    status: "fail",
    scores: sampleScores({ trigger: "fail" }),
    failures: [
      sampleFailure({
        dimension: "trigger",
        code: "TriggerForbidden",
        message: "pdf-form-filler was selected and is in skills_none_of",
        events: [`${runId}#8`],
        lines: [8],
      }),
    ],
  }),
  sampleAgentResult({ ...real, case_id: "weather", trial: 2 }),
  sampleAgentResult({
    ...real,
    case_id: "fills_a_form",
    condition: "no-skills",
    status: "fail",
    scores: sampleScores({ trigger: "fail", output: "fail" }),
    failures: [sampleFailure({ dimension: "trigger", code: "TriggerMissingAll" })],
  }),
];

const interval = { lower: 0.71, upper: 0.98 };
export const sampleMetrics: AgentMetrics = {
  first_pass_json: { value: 0.9167, numerator: 11, denominator: 12, interval },
  extracted_rate: { value: 0, numerator: 0, denominator: 12, interval: null },
  final_json: { value: 1, numerator: 12, denominator: 12, interval: { lower: 1, upper: 1 } },
  retry_cost: { value: 0.0412, numerator: 517, denominator: 12_548, unknown_calls: 1 },
  trigger_precision: { value: 0.75, numerator: 3, denominator: 4, interval },
  trigger_recall: { value: null, numerator: 0, denominator: 0, interval: null },
  pass_at_k: { "1": 0.75, "2": 1 },
  pass_hat_k: { "1": 0.75, "2": 0.5 },
  cost: {
    input_tokens: 11_420,
    output_tokens: 1_128,
    cost_usd: 0.0042,
    latency_p50_ms: 1_890,
    latency_p95_ms: 2_140,
  },
  without_verdict: 0,
  baseline: {
    with_skills: 0.75,
    no_skills: 0.25,
    difference: 0.5,
    interval: { lower: -0.1, upper: 1 },
    cases: 2,
  },
};

export const fullAgentReport: AgentReport = sampleAgentReport(fullAgentResults, {
  metrics: sampleMetrics,
  gates: [
    { gate: "min_pass_rate", on: "lower", asked: 0.9, actual: 0.376, passed: false },
    { gate: "min_trigger_precision", on: "point", asked: 0.7, actual: 0.75, passed: true },
    { gate: "min_trigger_recall", on: "point", asked: 0.9, actual: null, passed: null },
  ],
  skipped: [{ suite: "smoke", case_id: "needs_a_model", reason: "level" }],
  warnings: ["triggering has no negative case (skills_none_of)"],
});

export const readFullResults: AgentResultReader = agentReader(fullAgentResults);

/** A report that says this text wherever a stranger has a word. */
export function hostileAgentReport(text: string): { report: AgentReport; results: AgentResultReader } {
  const failure = sampleFailure({
    code: text,
    message: text,
    expected: text,
    actual: text,
    events: [`${text}#12`],
  });
  const hostile: Partial<AgentResult> = {
    suite: text,
    case_id: text,
    run_id: text,
    model: text,
    title: text,
    tags: [text],
    not_exercised: [text],
    warnings: [text],
    quotes: { "12": text, "14": text },
    run_dir: text,
    case_digest: text,
    cell_key: text,
    grader: text,
    stats: { ...sampleAgentResult().stats, stop_reason: text, isolation: text },
    scores: {
      ...sampleScores({ sequence: "fail" }),
      trigger: { ...sampleScores().trigger, selected: [text], rejected: [text] },
      security: { status: "fail", pass: false, checks: [{ name: text, status: "fail", exercised: true }] },
    },
  };
  const all = [
    sampleAgentResult({ ...hostile, status: "fail", failures: [failure] }),
    sampleAgentResult({ ...hostile, status: "invalid", no_verdict: { code: text, message: text } }),
    sampleAgentResult(hostile),
  ];
  const report = sampleAgentReport(all, {
    suite: text,
    warnings: [text],
    files: [text],
    skipped: [{ suite: text, case_id: text, reason: "level" }],
    tool: { name: "eval-skills", version: text },
  });
  const { run } = report;
  return {
    report: {
      ...report,
      run: {
        ...run,
        id: text,
        models: [text, "other"],
        store: text,
        runs_dir: text,
        isolation: { level: text, backend: text, network: [text], unproven: [text] },
      },
    },
    results: agentReader(all),
  };
}
