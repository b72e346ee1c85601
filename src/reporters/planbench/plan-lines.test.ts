import { expect, test } from "vitest";
import { hiddenCharacters, hostileTexts } from "../sample-report.ts";
import { textWidth } from "../text-width.ts";
import { planLines } from "./plan-lines.ts";
import {
  fullPlanReport,
  hostilePlanReport,
  planReader,
  readFullPlanResults,
  samplePlanReport,
  samplePlanTable,
} from "./sample-plan-report.ts";
import { sampleAttempt, samplePlanResult, wrongAnchor } from "./sample-plan-result.ts";

const plain = { color: false, width: null };

test("a block of figures per stratum, what failed and why, the gates, files, the next step", () => {
  expect(planLines(fullPlanReport, readFullPlanResults, { color: false, width: 100 })).toBe(
    `plans  openai/gpt-5-mini · answered by gpt-5-mini-2026-01-15 · schema ah32.plan.v1 · up to 5 repairs

routed  3 cases × 2 samples
  ok at first    20.0% [5.8–51.2]    1 of 5 samples
  ok in the end  60.0% [25.0–100.0]  3 of 5 samples
  repairs        ████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓××××××××××××××××  0.67 on average
                 █ 1 at once  ▓ 2 after 1  × 2 failed
  first plan     avg 5 m 00 s, p95 5 m 00 s
  whole sample   avg 5 m 00 s, p95 5 m 00 s
  tokens         508 a sample        412 first, 96 repairs
  router hit     66.7%               of cases whose route is known
  coverage       83.3%               5 of 6 samples, 1 without an outcome

✗ /actions/*/anchor must be equal to constant
  1 routed sample: wps-table
✗ /actions/*/title is required
  1 routed sample: wps-table
✗ the deadline of 300000 ms passed
  1 routed sample: 审阅-报告

? provider-error: HTTP 500 from api.example.com
  1 routed sample: wps-table

forced  1 case × 2 samples
  ok at first    50.0%         1 of 2 samples
  ok in the end  50.0%         1 of 2 samples
  repairs        ████████████████████××××××××××××××××××××  0 on average
                 █ 1 at once  × 1 failed
  first plan     avg 840 ms, p95 840 ms
  whole sample   avg 840 ms, p95 840 ms
  tokens         508 a sample  412 first, 96 repairs
  carried out    50.0%         of the valid plans handed over
  claimed ok     1 sample      by the service itself, 1 wrongly

✗ no such cell: ZZ99
  1 forced sample: et-formula

fixed  1 case × 2 samples, no model was asked: these test the bench itself and are in no rate
  ok             1 of 1 sample

Gate inconclusive: routed, lower bound of ok at first ≥ 0.6, is 0.0577 over 83.3% of the samples
Gate inconclusive: forced, lower bound of ok at first ≥ 0.6, nothing to measure it by
Gate passed: forced, ok in the end ≥ 0.5, is 0.5
Gate failed: forced, p95 of a sample ≤ 500 ms, is 840 ms
1 warning
No verdict: 1 sample without an outcome
planbench plans: 4 of 8 samples ok

reports/planbench-result.json
reports/planbench-result.html

next: --resume runs the samples without an outcome again
`,
  );
});

test("scripted replies are said to be scripted, and every kind of repair has a mark of its own", () => {
  const results = [samplePlanResult({ caseId: "a" })];
  const report = samplePlanReport(results, {
    summary: [samplePlanTable({ topFailures: [] })],
    files: [],
    run: { model: "mock", answeredBy: [], samples: 3 },
  });
  const text = planLines(report, planReader(results), plain);

  expect(text).toMatch(
    /^plans {2}mock · schema .*\nreplies are scripted: this measures the bench, not a model\n/,
  );
  expect(text).toContain(`  repairs        ${"█".repeat(28)}▓▓▓▓▓▒▒░××××  0.32 on average\n`);
  expect(text).toContain("█ 63 at once  ▓ 12 after 1  ▒ 4 after 2  ░ 2 after 3 or more  × 9 failed\n");
  expect(text).toMatch(/\nplanbench plans: 1 of 1 sample ok\n$/);
});

test("what a stratum is short of is told: no outcome at all, no known route, a gate that nothing answers", () => {
  const results = [samplePlanResult({ outcome: "error", attempts: [] })];
  const [table] = samplePlanReport(results).summary;
  if (table === undefined) throw new Error("there is one");
  const report = samplePlanReport(results, {
    summary: [{ ...table, hitRate: null }],
    gate: { passed: null, checks: [] },
    exitCode: 3,
  });
  const text = planLines(report, planReader(results), plain);

  expect(text).toContain("  ok at first    undefined  no samples\n");
  expect(text).toContain("  first plan     undefined\n");
  expect(text).not.toContain("router hit");
  expect(text).not.toContain("repairs   ");
  expect(text).toContain("Gate inconclusive: no routed or forced case to measure it by\n");
});

test("many reasons and cases are cut and counted, the commonest reason first", () => {
  const failing = (caseId: string, reason: string) =>
    samplePlanResult({
      caseId,
      outcome: "fail",
      attempts: [sampleAttempt({ violations: [{ ...wrongAnchor, reason }] })],
    });
  const results = [
    ...Array.from({ length: 9 }, (_, n) => failing(`rare${n}`, `only ${n}`)),
    ...Array.from({ length: 9 }, (_, n) => failing(`often${n}`, "is often wrong")),
  ];
  const text = planLines(samplePlanReport(results), planReader(results), plain);

  expect(text).toContain(`\n\n✗ /actions/*/anchor is often wrong
  9 routed samples: often0, often1, often2, often3, often4, often5 and 3 more
✗ /actions/*/anchor only 0\n`);
  expect(text).toContain("… and 4 more reasons\n");
  expect(text).toMatch(/next: --case rare0 --include-plan shows what was planned there\n$/);
  const shown = results.map((result) => ({ ...result, plan: {} }));
  expect(planLines(samplePlanReport(shown), () => shown, plain)).not.toContain("next:");
});

test.each([44, 60, 80, 120])("no line is wider than %i columns", (width) => {
  const hostile = hostilePlanReport("审阅这份合同的风险 ".repeat(20));
  for (const text of [
    planLines(fullPlanReport, readFullPlanResults, { color: false, width }),
    planLines({ ...hostile.report, files: [] }, hostile.results, { color: false, width }),
  ])
    for (const line of text.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(width);
});

test("colours are a matter of choice and change no letter", () => {
  const painted = planLines(fullPlanReport, readFullPlanResults, { color: true, width: 80 });
  expect(painted).toContain("\u001b[31m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
  expect(painted.replaceAll(/\u001b\[\d+m/g, "")).toBe(
    planLines(fullPlanReport, readFullPlanResults, { color: false, width: 80 }),
  );
});

test("text of a stranger cannot do anything on a terminal", () => {
  for (const hostile of hostileTexts) {
    const { report, results } = hostilePlanReport(hostile);
    expect(planLines(report, results, plain)).not.toMatch(hiddenCharacters);
  }
});
