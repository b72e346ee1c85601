import { expect, test } from "vitest";
import type { PlanReport, PlanResultReader } from "../../contract/planbench-report.ts";
import { resultsPageData } from "../page-data.ts";
import { hiddenCharacters, hostileTexts } from "../sample-report.ts";
import { planCsvReporter } from "./plan-csv.ts";
import { planAnnotations, planJobSummary } from "./plan-github.ts";
import { planHtmlReporter } from "./plan-html.ts";
import { planJunitReporter } from "./plan-junit.ts";
import { planMarkdownReporter } from "./plan-markdown.ts";
import {
  fullPlanReport,
  fullPlanResults,
  hostilePlanReport,
  planReader,
  readFullPlanResults,
  samplePlanReport,
} from "./sample-plan-report.ts";
import { sampleAttempt, samplePlanResult } from "./sample-plan-result.ts";

const all = [planMarkdownReporter, planCsvReporter, planJunitReporter, planHtmlReporter];
type Reporter = (typeof all)[number];
const text = (reporter: Reporter, report: PlanReport = fullPlanReport, results = readFullPlanResults) =>
  [...reporter.render(report, results)].join("");

test("Markdown goes from the whole to the parts", () => {
  const document = text(planMarkdownReporter);

  expect(document.match(/^#+ .*/gm)).toEqual([
    "# Plan report: 4 of 8 samples ok",
    ...["## Routed cases", "### Failures", "### Without an outcome"],
    ...["## Forced cases", "### Failures"],
    "## Fixed cases",
    ...["## Routed cases, one by one", "## Forced cases, one by one", "## Fixed cases, one by one"],
    "## Run",
  ]);
  expect(document).toMatch(/\| Model +\| openai\/gpt-5-mini, answered by gpt-5-mini-2026-01-15 +\|/);
  expect(document).toContain("**Gate failed: forced, p95 of a sample ≤ 500 ms, is 840 ms**\n");
  expect(document).toMatch(/\| Ok at first +\| 20\.0% \\\[5\.8–51\.2\\\] +\| 1 of 5 samples +\|/);
  expect(document).toMatch(/\| Samples by repairs +\| 0: 1, 1: 2, failed: 2 +\| 0\.67 on average +\|/);
  expect(document).toContain("- **/actions/\\*/anchor must be equal to constant**: 1 sample of wps-table\n");
  expect(document).toMatch(/\| wps-table +\| wps +\| 0 of 1 +\| +0 \| +1 \| +1 \| +0 \| +1\.7 s \|/);
  const by = (model: string) =>
    text(planMarkdownReporter, { ...fullPlanReport, run: { ...fullPlanReport.run, model } });
  expect(by("mock")).toContain("**Replies are scripted: this measures the bench, not a model**\n");
  expect(by("sse http://localhost/plan")).toContain(
    "## Routed cases\n\nThe service chose skills by itself.\n",
  );
});

test("CSV has a row per sample; the last plan stands in it where the report has it", () => {
  const [head = "", ...rows] = text(planCsvReporter).trimEnd().split("\r\n");

  expect(head).toMatch(
    /^caseId,sample,route,host,outcome,repairs,status,cause,problem,ms,firstMs,tokensFirst,/,
  );
  expect(rows).toHaveLength(fullPlanResults.length);
  expect(rows[1]).toBe(
    "wps-block,2,routed,wps,ok,1,pass,,,1450,840,412,520,932,,doc-formatter,2,0,,block,sha256:wps-block,sha256:wps-block2,",
  );
  expect(rows[2]).toMatch(/,"\{""schema_version"":""ah32\.plan\.v1""/);
  expect(rows[3]).toMatch(/^wps-table,2,routed,wps,error,,invalid,provider-error,HTTP 500 from/);
});

test("JUnit has a suite per stratum: failures, and errors for what has no outcome", () => {
  const document = text(planJunitReporter);

  expect(document).toMatch(
    /<testsuites name="eval-skills planbench" tests="9" failures="3" errors="1" skipped="0"/,
  );
  expect(document.match(/<testsuite name="[^"]*" tests="\d+"/g)).toEqual([
    '<testsuite name="plans routed" tests="6"',
    '<testsuite name="plans forced" tests="2"',
    '<testsuite name="plans fixed" tests="1"',
  ]);
  expect(document).toContain(
    '<error message="provider-error: HTTP 500 from api.example.com" type="provider-error">',
  );
  expect(document).toContain(
    'type="invalid-plan">failed\nselected: doc-formatter\nattempt 0: not valid, 840 ms',
  );
  expect(document).toContain('type="deadline">failed\nthe deadline of 300000 ms passed\nselected: nothing<');
  expect(document).toContain('<testcase name="wps-block, sample 2" classname="plans.routed"');
});

test("JUnit counts what it lists also where strata alternate", () => {
  const results = (["forced", "routed", "forced"] as const).map((route, n) =>
    samplePlanResult({ route, caseId: `c${n}` }),
  );
  const document = text(planJunitReporter, samplePlanReport(results), planReader(results));
  const suites = document.split("<testsuite ").slice(1);

  expect(suites.map((suite) => suite.match(/<testcase /g)?.length)).toEqual([1, 2]);
});

test("on GitHub gates and reasons are annotated at the file of the bench; the page of the job has the figures", () => {
  const lines = [...planAnnotations(fullPlanReport, readFullPlanResults, "benches/plans.yaml")];

  expect(lines).toHaveLength(9);
  expect(lines[0]).toBe(
    "::error title=No verdict,file=benches/plans.yaml::No verdict: 1 sample without an outcome",
  );
  expect(lines[3]).toContain("title=Gate failed,file=benches/plans.yaml::Gate failed: forced, p95");
  expect(lines[4]).toBe(
    "::error title=1 routed sample failed,file=benches/plans.yaml::/actions/*/anchor must be equal to constant: wps-table",
  );
  const many = Array.from({ length: 30 }, (_, n) =>
    samplePlanResult({
      caseId: `c${n}`,
      outcome: "fail",
      attempts: [sampleAttempt({ violations: [{ pointer: "", reason: `reason ${n}` }] })],
    }),
  );
  const more = [...planAnnotations(samplePlanReport(many), planReader(many))];
  expect(more).toHaveLength(11);
  expect(more[0]).toMatch(/^::warning /);
  expect(more.at(-1)).toContain("and 20 more reasons why samples are not ok; see the report");
  const page = [...planJobSummary(fullPlanReport, readFullPlanResults)].join("");
  expect(page).toMatch(/^# Plan report: 4 of 8 samples ok\n/);
  expect(page).toContain("\nFiles: reports/planbench-result.json, ");
});

test("HTML holds the report for the page, and plain tables where no script runs", () => {
  const document = text(planHtmlReporter);

  expect(document).toContain("<title>4 of 8 samples ok: eval-skills planbench report r-20260203-123456-abcd");
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(document) ?? [];
  expect(JSON.parse(data)).toEqual({ ...fullPlanReport, results: fullPlanResults });
  expect(JSON.parse(data).results[0]).not.toHaveProperty("plan");
  const plain = plainPart(document);
  expect(plain).toContain("<h1>4 of 8 samples ok</h1>");
  expect(plain).toContain("<td>ok at first</td><td>20.0% [5.8–51.2]</td>");
  expect(plain.indexOf("wps-table, sample 1")).toBeLessThan(plain.indexOf("wps-block, sample 1"));
});

test("fault row 37: text of a stranger is inert in every format", () => {
  for (const hostile of hostileTexts) {
    const { report, results } = hostilePlanReport(hostile);
    for (const document of [
      text(planMarkdownReporter, report, results),
      [...planJobSummary(report, results)].join(""),
    ]) {
      expect(document).not.toMatch(hiddenCharacters);
      expect(document).not.toMatch(/<img|<!--|(?<!\\)\]\(|(?<!\\)`|https?:\/\//);
      expect(document.match(/^# /gm)).toHaveLength(1);
    }
    for (const line of planAnnotations(report, results, hostile))
      expect(line).toMatch(/^::error title=[^:,]*,file=[^:,]*::[^\n]*$/);
    expect(plainPart(text(planHtmlReporter, report, results))).not.toMatch(/<(img|script|a)\b/i);
    expect(text(planJunitReporter, report, results)).not.toMatch(/<img|\]\]>/);
    const data = [...resultsPageData(report, results)].join("");
    expect(JSON.parse(data).results[0].caseId).toBe(hostile);
    expect(data).not.toMatch(hiddenCharacters);
    for (const line of text(planCsvReporter, report, results).split("\r\n"))
      expect(line).not.toMatch(/^[=+@-]/);
  }
});

test("results are read one at a time, in no more passes than a few", () => {
  let passes = 0;
  const many: PlanResultReader = function* () {
    passes++;
    for (let n = 0; n < 50; n++)
      yield samplePlanResult({
        caseId: `c${n}`,
        route: (["routed", "forced", "fixed"] as const)[n % 3] ?? "routed",
      });
  };
  const report = samplePlanReport([...many()]);
  for (const reporter of all) {
    passes = 0;
    for (const piece of reporter.render(report, many)) expect(piece.length).toBeLessThan(2_000_000);
    expect(passes).toBeLessThanOrEqual(4);
  }
});

function plainPart(html: string): string {
  return /<div id="plain">([\s\S]*?)<\/div>\s*<script/.exec(html)?.[1] ?? "";
}
