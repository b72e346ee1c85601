import { expect, test } from "vitest";
import type { AgentReport, AgentResultReader } from "../../contract/agent-report.ts";
import { resultsPageData } from "../page-data.ts";
import { hiddenCharacters, hostileTexts } from "../sample-report.ts";
import { agentCsvReporter } from "./agent-csv.ts";
import { agentAnnotations, agentJobSummary } from "./agent-github.ts";
import { agentHtmlReporter } from "./agent-html.ts";
import { agentJunitReporter } from "./agent-junit.ts";
import { agentMarkdownReporter } from "./agent-markdown.ts";
import { caseMarkdown } from "./case-markdown.ts";
import {
  agentReader,
  fullAgentReport,
  fullAgentResults,
  hostileAgentReport,
  readFullResults,
  sampleAgentReport,
} from "./sample-agent-report.ts";
import { sampleAgentResult, sampleFailure } from "./sample-agent-result.ts";

const all = [agentMarkdownReporter, agentCsvReporter, agentJunitReporter, agentHtmlReporter];
type Reporter = (typeof all)[number];
const text = (reporter: Reporter, report: AgentReport = fullAgentReport, results = readFullResults) =>
  [...reporter.render(report, results)].join("");

test("Markdown goes from the whole to the parts, in the order that readers know", () => {
  const document = text(agentMarkdownReporter);

  expect(document.match(/^##? .*/gm)).toEqual([
    "# Agent report: 5 of 8 passed",
    "## Failed cells",
    "## Cells without verdict",
    "## Checks never exercised",
    "## All cells",
    "## Metrics",
    "## Run",
  ]);
  expect(document).toMatch(
    /\| Model +\| mock, openai\/gpt-5-mini +\|\n\| Isolation +\| strict, network: none/,
  );
  expect(document).toContain(`
- **sequence ForbiddenExecuted**: write_file is forbidden and was executed
  - Expected: never write_file
  - Actual: write_file
  - Events: 20260203_123456_abcd\\#12, 20260203_123456_abcd\\#14 (lines 12–14)
  - Line 12: turn `);
  expect(document).toContain("- **smoke/log_was_cut**: RunIncomplete: the log has no run_finished");
  expect(document).toContain("- forbid write_file: smoke/basic_select_skill\n");
  expect(document).toMatch(
    /\| smoke\/saves_nothing +\| fail +\| ✓ +\| ✗ +\| ✓ +\| ✓ +\| ✓ +\| ✗ +\| – +\| +\|/,
  );
  expect(document).toMatch(/\| trigger recall +\| undefined +\| no expected skills/);
});

test("at most five lines are quoted per failure, and a check that one trial exercised was exercised", () => {
  const lines = Array.from({ length: 9 }, (_, n) => n + 1);
  const failure = sampleFailure({ events: lines.map((line) => `r#${line}`), lines: [1, 9] });
  const quotes = Object.fromEntries(lines.map((line) => [String(line), "x".repeat(5_000)]));
  const results = [
    sampleAgentResult({ status: "fail", failures: [failure], quotes, not_exercised: ["a", "b"] }),
    sampleAgentResult({ trial: 2, not_exercised: ["b"] }),
  ];
  const document = text(agentMarkdownReporter, sampleAgentReport(results), agentReader(results));

  expect(document.match(/ {2}- Line \d: x{299}…\n/g)).toHaveLength(5);
  expect(document).toContain("r\\#1, r\\#2, r\\#3, r\\#4, r\\#5 and 4 more (lines 1–9)");
  expect(document).toContain("\n- b: smoke/basic\\_select".replace("\\", ""));
  expect(document).not.toContain("\n- a: ");
});

test("a graded run as Markdown has every dimension, its failures and what nothing exercised", () => {
  const document = caseMarkdown(fullAgentResults[1] ?? sampleAgentResult());

  expect(document).toMatch(
    /^# smoke\/saves_nothing: fail\n\nrun 20260203_123457_0c1d, model mock, trial 1, 3 turns/,
  );
  expect(document).toMatch(/\| streaming +\| – not applicable \|/);
  expect(document).toContain("## Failures\n\n- **sequence ForbiddenExecuted**");
  expect(document).toContain("## Checks never exercised\n\n- forbid network_request\n");
});

test("CSV has a row per cell with the status of every dimension", () => {
  const [head = "", ...rows] = text(agentCsvReporter).trimEnd().split("\r\n");

  expect(head).toMatch(
    /^suite,case_id,level,model,trial,condition,status,trigger,sequence,.*,streaming,unit,/,
  );
  expect(rows).toHaveLength(fullAgentResults.length);
  expect(rows[1]).toMatch(
    /^smoke,saves_nothing,L1,mock,1,with-skills,fail,pass,fail,pass,pass,pass,fail,not_app/,
  );
});

test("JUnit has a suite per suite: failures, errors for what has no verdict, skipped cases, no twins", () => {
  const document = text(agentJunitReporter);

  expect(document).toMatch(
    /<testsuites name="eval-skills agent eval" tests="9" failures="2" errors="1" skipped="1"/,
  );
  expect(document.match(/<testsuite name="[^"]*" tests="\d+"/g)).toEqual([
    '<testsuite name="smoke" tests="4"',
    '<testsuite name="guards" tests="1"',
    '<testsuite name="triggering" tests="4"',
  ]);
  expect(document).toContain(
    '<error message="RunIncomplete: the log has no run_finished" type="no-verdict">',
  );
  expect(document).toContain('type="ForbiddenExecuted">sequence ForbiddenExecuted: write_file is forbidden');
  expect(document).toMatch(
    /<testcase name="needs_a_model"[^>]*>\n {6}<skipped message="skipped by level"\/>/,
  );
  expect(document).toContain('name="weather, trial 2, openai/gpt-5-mini"');
});

test("JUnit counts what it lists, also where suites alternate and where one has skipped cases only", () => {
  const results = ["a", "b", "a"].map((suite, n) => sampleAgentResult({ suite, case_id: `c${n}` }));
  const skipped = ["a", "z"].map((suite) => ({ suite, case_id: "later", reason: "level" as const }));
  const document = text(agentJunitReporter, sampleAgentReport(results, { skipped }), agentReader(results));

  const suites = document.split("<testsuite ").slice(1);
  expect(suites.map((suite) => suite.match(/^name="(.)" tests="(\d)"/)?.slice(1))).toEqual([
    ["a", "1"],
    ["b", "1"],
    ["a", "2"],
    ["z", "1"],
  ]);
  for (const suite of suites)
    expect(suite.match(/<testcase /g)).toHaveLength(Number(/tests="(\d)"/.exec(suite)?.[1]));
});

test("on GitHub the gates and the first cells are annotated at their case files; the page of the job lists them", () => {
  const lines = [
    ...agentAnnotations(fullAgentReport, readFullResults, (suite, id) => `evals/${suite}/${id}.json`),
  ];

  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe("::error title=No verdict::No verdict: 1 cell without a verdict");
  expect(lines[3]).toBe(
    "::error title=smoke/saves_nothing%3A sequence ForbiddenExecuted,file=evals/smoke/saves_nothing.json::" +
      "write_file is forbidden and was executed (lines 12–14 of .agent/runs/20260203_123457_0c1d); and 1 more failure",
  );
  const many = Array.from({ length: 30 }, (_, n) => sampleAgentResult({ case_id: `c${n}`, status: "fail" }));
  const more = [...agentAnnotations(sampleAgentReport(many), agentReader(many))];
  expect(more).toHaveLength(11);
  expect(more.at(-1)).toContain("and 20 more cells that did not pass; see the report");
  const page = [...agentJobSummary(sampleAgentReport(many), agentReader(many))].join("");
  expect(page).toContain("… and 10 more, see the JSON report");
  expect(page).not.toContain("## All cells");
});

test("the HTML page holds the report with its results, and plain tables for where no script runs", () => {
  const page = text(agentHtmlReporter);
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(page) ?? [];
  const plain = plainPart(page);

  expect(JSON.parse(data)).toEqual({ ...fullAgentReport, results: fullAgentResults });
  expect(page).toMatch(/<title>5 of 8 passed: eval-skills agent report [^<]*<\/title>/);
  expect([...plain.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)).toEqual([
    ...["What did not pass", "Cells", "Skipped by level", "Metrics", "Run"],
  ]);
  expect(plain).toContain("<td>smoke/saves_nothing</td><td>sequence</td><td>ForbiddenExecuted</td>");
});

test("fault row 37: text of a stranger is inert in every format", () => {
  for (const hostile of hostileTexts) {
    const { report, results } = hostileAgentReport(hostile);
    const markdown = [
      text(agentMarkdownReporter, report, results),
      [...agentJobSummary(report, results)].join(""),
      ...[...results()].map(caseMarkdown),
    ];
    for (const document of markdown) {
      expect(document).not.toMatch(hiddenCharacters);
      expect(document).not.toMatch(/<img|<!--|(?<!\\)\]\(|(?<!\\)`|https?:\/\//);
      expect(document.match(/^# /gm)).toHaveLength(1);
    }
    for (const line of agentAnnotations(report, results))
      expect(line).toMatch(/^::error title=[^:,]*::[^\n]*$/);
    expect(plainPart(text(agentHtmlReporter, report, results))).not.toMatch(/<(img|script|a)\b/i);
    expect(text(agentJunitReporter, report, results)).not.toMatch(/<img|\]\]>/);
    const data = [...resultsPageData(report, results)].join("");
    expect(JSON.parse(data).results[0].case_id).toBe(hostile);
    expect(data).not.toMatch(hiddenCharacters);
    for (const line of text(agentCsvReporter, report, results).split("\r\n"))
      expect(line).not.toMatch(/^[=+@-]/);
  }
});

test("results are read one at a time: ten thousand of them take no more passes than a few", () => {
  const passes = new Map<string, number>();
  const many: AgentResultReader = function* () {
    passes.set("now", (passes.get("now") ?? 0) + 1);
    for (let n = 0; n < 50; n++)
      yield sampleAgentResult({ case_id: `c${n}`, status: n < 5 ? "fail" : "pass" });
  };
  const report = sampleAgentReport([...many()]);
  for (const reporter of all) {
    passes.clear();
    for (const piece of reporter.render(report, many)) expect(piece.length).toBeLessThan(2_000_000);
    expect(passes.get("now")).toBeLessThanOrEqual(6);
  }
});

function plainPart(html: string): string {
  return /<div id="plain">([\s\S]*?)<\/div>\s*<script/.exec(html)?.[1] ?? "";
}
