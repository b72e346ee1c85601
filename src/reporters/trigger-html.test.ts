import { expect, test } from "vitest";
import type { QueryLine } from "../contract/trigger-report.ts";
import { hostileTexts } from "./sample-report.ts";
import { routerJudge, sampleQuery } from "./sample-trigger-query.ts";
import {
  fullTriggerReport,
  sampleQueries,
  sampleTriggerReport,
  sampleTriggerResult,
} from "./sample-trigger-report.ts";
import { triggerHtmlReporter } from "./trigger-html.ts";

const page = [...triggerHtmlReporter.render(fullTriggerReport, sampleQueries)].join("");

function plainPart(html: string): string {
  return /<div id="plain">([\s\S]*?)<\/div>\s*<script/.exec(html)?.[1] ?? "";
}

test("the data of the page is the whole report with its queries", () => {
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(page) ?? [];

  const { results } = fullTriggerReport;
  expect(JSON.parse(data)).toEqual({
    ...fullTriggerReport,
    results: results.map((result) => ({ ...result, queries: sampleQueries(result.skillId) })),
  });
});

test("there is one script beside the data, and it is the one of every other report", () => {
  const scripts = [...page.matchAll(/<script(?! type="application\/json")[^>]*>/g)];
  expect(scripts).toHaveLength(1);
  expect(page).toMatch(/<title>32 of 41 passed: eval-skills trigger report [^<]*<\/title>/);
});

test("without script there are plain tables: skills, baselines, who was chosen, queries, the run", () => {
  const plain = plainPart(page);

  expect([...plain.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)).toEqual([
    "Skills",
    "Beside baselines",
    "Who was chosen",
    "Queries",
    "Run",
  ]);
  expect(plain).toContain("<p>Skipped: weather (no triggering block)</p>");
  expect(plain).toContain("<td>failed: no-verdict</td><td>refactor</td>");
  expect(plain).toContain("<td>inconclusive: judge-error</td>");
  expect(plain).toContain("undefined");
});

test("hostile text stands in the plain tables as text", () => {
  const lines = hostileTexts.map((text) =>
    sampleQuery({ query: text, skillId: text, answers: "N", judge: routerJudge, reason: text, tags: [text] }),
  );
  const results = lines.map((line) => sampleTriggerResult(line.skillId, [line], { notes: [line.query] }));
  const report = sampleTriggerReport(results, { warnings: [...hostileTexts] });
  const plain = plainPart(
    [...triggerHtmlReporter.render(report, (id) => lines.filter(({ skillId }) => skillId === id))].join(""),
  );

  expect(plain).toContain('<td class="text">&lt;img src=x onerror=alert(1)&gt;</td>');
  expect(plain).not.toMatch(/<(img|script|a)\b/i);
  expect(plain).not.toContain("\u202e");
});

test("queries pass through one at a time, and the plain table stops at 500", () => {
  const count = 5_000;
  const line = sampleQuery({ query: "play some jazz", answers: "Y" });
  const failed = sampleQuery({ query: "the last one", answers: "N" });
  const result = { ...sampleTriggerResult("refactor", [line]), passed: count - 1, failed: 1 };
  const report = sampleTriggerReport([result]);
  let read = 0;
  let written = 0;
  let ahead = 0;
  function* many(): Generator<QueryLine> {
    for (let n = 0; n < count; n++) {
      read++;
      yield n === count - 1 ? failed : line;
    }
  }
  let plain = "";
  for (const piece of triggerHtmlReporter.render(report, many)) {
    if (piece.startsWith("{") && piece.includes('"judgments"')) {
      if (written === 0) read = 1;
      written++;
      ahead = Math.max(ahead, read - written);
    } else if (written === 0) plain += piece;
  }

  expect(written).toBe(count);
  expect(ahead).toBe(0);
  expect(plain).toContain("The first 500 of 5000 queries");
  const rows = plain.match(/<tr><td>(passed|failed)<.*<\/tr>/g) ?? [];
  expect(rows).toHaveLength(500);
  expect(rows[0]).toContain("the last one");
});
