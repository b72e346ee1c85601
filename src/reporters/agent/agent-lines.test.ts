import { expect, test } from "vitest";
import { hiddenCharacters, hostileTexts } from "../sample-report.ts";
import { textWidth } from "../text-width.ts";
import { agentLines } from "./agent-lines.ts";
import { caseLines } from "./case-lines.ts";
import {
  agentReader,
  fullAgentReport,
  fullAgentResults,
  hostileAgentReport,
  readFullResults,
  sampleAgentReport,
} from "./sample-agent-report.ts";
import { sampleAgentResult, sampleFailure, sampleScores } from "./sample-agent-result.ts";

const plain = { color: false, width: null };

test("a line per suite, what failed and where to look, what has no verdict, figures, gates, files, the next step", () => {
  expect(agentLines(fullAgentReport, readFullResults, { color: false, width: 110 })).toBe(
    `smoke       1 passed, 1 failed, 1 without a verdict
guards      1 passed
triggering  3 passed, 1 failed

✗ smoke/saves_nothing
  sequence  ForbiddenExecuted  log lines 12–14
            write_file is forbidden and was executed
  output    OutputContains  log line 31
            none of these is in the text: “已完成”, “表单”
  eval-skills agent replay .agent/runs/20260203_123457_0c1d

✗ triggering/weather  trial 1  openai/gpt-5-mini
  trigger  TriggerForbidden  log line 8
           pdf-form-filler was selected and is in skills_none_of
  eval-skills agent replay .agent/runs/20260203_123456_abcd

? smoke/log_was_cut
  RunIncomplete: the log has no run_finished
  eval-skills agent replay .agent/runs/20260203_123458_77aa

valid JSON at first    91.7% [71.0–98.0]                 11 of 12 turns
taken out of prose     0.0%                              0 of 12 turns
valid JSON in the end  100.0% [100.0–100.0]              12 of 12 turns
spent on retries       4.1%                              517 of 12,548 tokens; 1 call with unknown usage
trigger precision      75.0% [71.0–98.0]                 3 of 4 selected skills
trigger recall         undefined                         no expected skills
pass@k                 1: 75.0%, 2: 100.0%
pass^k                 1: 75.0%, 2: 50.0%
cost                   $0.0042                           11,420 tokens in, 1,128 out
latency                p50 1.9 s, p95 2.1 s
gain by skills         +50.0 pp [−10.0 pp to +100.0 pp]  75.0% with, 25.0% without, over 2 cases

Gate failed: lower bound of pass rate ≥ 0.9, is 0.376
Gate passed: trigger precision ≥ 0.7, is 0.75
Gate inconclusive: trigger recall ≥ 0.9, nothing to measure it by
1 case skipped by level
1 warning
agent runs: 5 passed, 2 failed, 1 without a verdict (pass rate 71.4% [37.6–96.4])

reports/agent-result.json
reports/agent-result.html

next: --case saves_nothing runs the first failed case alone
`,
  );
});

test("what passed takes two lines, and a twin without skills that failed is no failure", () => {
  const results = [
    sampleAgentResult(),
    sampleAgentResult({ condition: "no-skills", status: "fail", failures: [sampleFailure()] }),
  ];
  const text = agentLines(sampleAgentReport(results, { files: [] }), agentReader(results), plain);

  expect(text).toBe("smoke  1 passed\n\nagent runs: 1 passed (pass rate 100.0% [37.6–96.4])\n");
});

test("failed trials that a case tolerates are explained, and so is a run in which only verdicts are missing", () => {
  const trials = [sampleAgentResult(), sampleAgentResult({ trial: 2, status: "fail" })];
  const report = sampleAgentReport(trials, { exitCode: 0 });
  const cases = report.cases.map((one) => ({ ...one, pass: true }));
  const open = [sampleAgentResult({ status: "invalid", no_verdict: { code: "LogDamaged", message: "x" } })];

  expect(agentLines({ ...report, cases }, agentReader(trials), plain)).toContain(
    "1 case passed in spite of failed trials, as min_pass_rate allows\n",
  );
  expect(agentLines(sampleAgentReport(open), agentReader(open), plain)).toMatch(
    /next: mend what kept cells from a verdict, or accept them with --allow-invalid\n$/,
  );
});

test("many failures and suites are cut and counted", () => {
  const many = Array.from({ length: 60 }, (_, n) =>
    sampleAgentResult({
      suite: `s${n}`,
      status: n % 2 === 0 ? "fail" : "pass",
      failures: n % 2 === 0 ? Array.from({ length: 12 }, () => sampleFailure()) : [],
    }),
  );
  const text = agentLines(sampleAgentReport(many), agentReader(many), plain);

  expect(text).toContain("… and 20 more suites\n");
  expect(text).toContain("… and 10 more cells that failed\n");
  expect(text).toContain("  … and 2 more\n");
});

test("an unpassable path in a command is quoted", () => {
  const results = [sampleAgentResult({ status: "fail", run_dir: "my runs/a;b" })];
  expect(agentLines(sampleAgentReport(results), agentReader(results), plain)).toContain(
    "eval-skills agent replay 'my runs/a;b'\n",
  );
});

test("a graded run shows every dimension with its mark, and failures with the lines of the log", () => {
  const [, failed, open, pure] = fullAgentResults;
  if (failed === undefined || open === undefined || pure === undefined) throw new Error("there are more");

  expect(caseLines(failed, { color: false, width: 90 })).toBe(
    `✗ smoke/saves_nothing  fail  run 20260203_123457_0c1d, mock, trial 1

✓  trigger     selected pdf-form-filler, precision 1, recall 1; 2 checks
✗  sequence    failed: sequence is in order
✓  disclosure  2 checks
✓  security    2 checks
✓  budget      2 checks
✗  output      failed: output is in order
–  streaming   not applicable

sequence  ForbiddenExecuted  log lines 12–14
          write_file is forbidden and was executed
  12 │ turn 2 action_planned {"call_id":"c2","action":{"type":"call_tool","tool":"write_f…
  14 │ turn 2 action_executed {"call_id":"c2","tool":"write_file","started":true,"ok":tru…
output    OutputContains  log line 31
          none of these is in the text: “已完成”, “表单”
  31 │ turn 2 run_finished {"status":"completed","stop_reason":"final_answer","degraded":…

not exercised: nothing in the run could have tripped it
  forbid network_request

1 warning
  an unknown type of event was ignored: telemetry

3 turns · 3 model calls · 1 tool call · 1 script · stopped by final_answer · isolation
strict · grader 1
`,
  );
  expect(caseLines(open, plain)).toMatch(
    /^\? smoke\/log_was_cut {2}no verdict .*\n {2}RunIncomplete: the log/,
  );
  expect(caseLines(pure, plain)).toBe("✓ guards/path_with_dots  pass  trial 1\n\n✓  unit  2 checks\n");
});

test("no line is wider than the terminal, but for commands to be copied", () => {
  const graded = fullAgentResults.map((result) => caseLines(result, { color: false, width: 60 }));
  const text = agentLines(fullAgentReport, readFullResults, {
    color: false,
    width: 60,
  });
  for (const line of [text, ...graded].join("\n").split("\n"))
    if (!line.includes("agent replay")) expect(textWidth(line)).toBeLessThanOrEqual(60);
});

test("text of a stranger cannot do anything on a terminal", () => {
  for (const hostile of hostileTexts) {
    const { report, results } = hostileAgentReport(hostile);
    expect(agentLines(report, results, plain)).not.toMatch(hiddenCharacters);
    for (const result of results()) expect(caseLines(result, plain)).not.toMatch(hiddenCharacters);
  }
});

test("a score that rests on nothing says so", () => {
  const scores = sampleScores({ output: "not_observed" });
  const empty = { ...scores, output: { ...scores.output, checks: [] } };
  expect(caseLines(sampleAgentResult({ scores: empty }), plain)).toContain("?  output      not observed\n");
});
