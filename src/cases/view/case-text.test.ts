import { expect, test } from "vitest";
import { sampleCaseReport, sampleFailure } from "../../../test/sample-case-report.ts";
import { caseLines, caseMarkdown } from "./case-text.ts";

const { scores } = sampleCaseReport();
const failed = sampleCaseReport({
  status: "fail",
  scores: {
    ...scores,
    sequence: {
      status: "fail",
      pass: false,
      checks: [{ name: "forbid write_file", status: "fail", exercised: true }],
    },
    streaming: { status: "not_applicable", pass: null, checks: [] },
  },
  failures: [
    sampleFailure(),
    sampleFailure({
      dimension: "trigger",
      code: "TriggerForbidden",
      message: "x\u001b[2J",
      expected: [],
      actual: ["a", "b"],
      lines: [],
      events: [],
    }),
  ],
  quotes: {
    "12": '{"v":1,"seq":12,"ts":"t","run_id":"r","turn":2,"type":"action_planned","data":{"call_id":"c1"}}',
  },
  not_exercised: ["read_file before final_answer"],
  warnings: ["turn 2 is odd"],
});

test("a graded run shows what failed with its line in the log, every dimension that applies, and what nothing exercised", () => {
  const text = caseLines(failed, { color: false, width: 80 });
  expect(text).toMatchInlineSnapshot(`
    "✗ smoke/basic_select_skill  failed  run 20260203_123456_abcd, mock, trial 1

    sequence: ForbiddenExecuted (log lines 12–14)
      Failure   write_file is forbidden and was executed
      Expected  never write_file
      Actual    write_file

    12  turn 2 action_planned {"call_id":"c1"}

    trigger: TriggerForbidden
      Failure   x\\e[2J
      Expected  none
      Actual    a, b

    Dimensions
      Dimension   Result    Checks
      trigger     ✓ passed  selected pdf-form-filler, precision 1, recall 1; 1 check
      sequence    ✗ failed  failed: forbid write_file
      disclosure  ✓ passed  1 check
      security    ✓ passed  1 check
      budget      ✓ passed  1 check
      output      ✓ passed  1 check

    Not exercised: nothing in this run could have failed these checks
      read_file before final_answer

    Warnings
      turn 2 is odd

    Run
      Turns        3
      Model calls  3
      Tool calls   1
      Scripts      1
      Ended with   final_answer
      Isolation    strict
      Grader       1
    "
  `);
  for (const line of text.split("\n")) expect(line).toMatch(/^[^\p{Cc}\p{Cf}]*$/u);
});

test("the same as Markdown", () => {
  const text = caseMarkdown(failed);
  expect(text).toMatch(/^# smoke\/basic_select_skill: failed\n\nrun 20260203/);
  for (const words of ["**sequence: ForbiddenExecuted (log lines 12–14)**", "| trigger", "**Warnings**"])
    expect(text).toContain(words);
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
});

test("a value with several lines has several lines", () => {
  const failures = [sampleFailure({ expected: { text: "a\nb" }, actual: "```json\n{}\n```" })];
  const text = caseLines(sampleCaseReport({ status: "fail", failures }), { color: false, width: 80 });

  expect(text).not.toContain("\\n");
  expect(text).toContain("Actual    ```json\n            {}\n            ```\n");
  expect(text).toContain('"text": "a\n');
});

test("a run without a verdict says why, and a pure function has no run to show", () => {
  const open = sampleCaseReport({
    status: "invalid",
    no_verdict: { code: "RunIncomplete", message: "the run did not end" },
  });
  expect(caseLines(open, { color: false, width: null })).toMatch(
    /^\? smoke\/basic_select_skill {2}no verdict {2}run .*\n\nRunIncomplete: the run did not end\n/,
  );
  const pure = sampleCaseReport({ level: "L0", model: "none", run_id: null });
  expect(caseLines(pure, { color: false, width: null })).toMatch(/^✓ .* {2}passed {2}trial 1\n/);
  expect(caseLines(pure, { color: false, width: null })).not.toContain("Run");
});
