import { expect, test } from "vitest";
import { markdownReporter } from "./markdown.ts";
import { hiddenCharacters, hostileTexts, sampleReport } from "./sample-report.ts";
import {
  fullTriggerReport,
  hostileTriggerReport,
  sampleEntry,
  sampleQueries,
  skippedResult,
} from "./sample-trigger-report.ts";
import { triggerMarkdownReporter } from "./trigger-markdown.ts";

const text = [...triggerMarkdownReporter.render(fullTriggerReport, sampleQueries)].join("");

test("the summary says how many passed, the gate, what is open, what was skipped, and has a row per skill", () => {
  expect(text).toContain("# Trigger report: 32 of 41 passed\n\n5 failed, 4 inconclusive\n\n| Skill ");
  expect(text).toMatch(
    /\| slides +\| +4\/5 \| +1 \| +0 \| +1\.000 \| +0\.667 \| +1\.000 \| 0\.800 \| 0\.667 \| router \(lexical\), no model configured +\|/,
  );
  expect(text).toContain("**Gate failed: recall ≥ 0.9, precision ≥ 0.8; 1 skill below: contract-review;");
  expect(text).toContain("**No verdict: 4 queries inconclusive.");
  expect(text).toContain("\nSkipped: weather (no triggering block)\n");
});

test("a section per skill lists what did not pass, the figures on queries and answers, and every query", () => {
  expect(text).toContain(
    "- **failed** explain what this file does\n  - should_not_match: would load, yes 8/8 \\[0.676–1\\]\n  - Asks about the structure of a file.\n",
  );
  expect(text).toMatch(/\| this judge, answer by answer \| +0\.848 \|/);
  expect(text).toMatch(/\| always no +\| +undefined \| +0\.000 \| +1\.000 \| +0\.000 \| +undefined \|/);
  expect(text).toMatch(
    /\| invert the dependency between billing and mail +\| should_match +\| ✓ passed \(flips\)/,
  );
  expect(text).toContain("| no skill        |   0 |   0 |   0 |    5 |         0 |");
  expect(text).toMatch(/\| slides +\| doc-editor +\| +1 of 4 \| 25\.0% \|/);
});

test("fault row 37: text of a stranger is inert", () => {
  for (const hostile of hostileTexts) {
    const { report, queriesOf } = hostileTriggerReport(hostile);
    const document = [...triggerMarkdownReporter.render(report, queriesOf)].join("");

    expect(document).not.toMatch(hiddenCharacters);
    expect(document).not.toMatch(/<img|<!--|(?<!\\)\]\(|(?<!\\)`|https?:\/\//);
    expect(document.match(/^# /gm)).toHaveLength(1);
  }
});

test("eval has a section on triggering, and counts results and queries apart", () => {
  const entries = fullTriggerReport.results.map((result) =>
    sampleEntry(result, [...sampleQueries(result.skillId)]),
  );
  const report = sampleReport({ triggering: entries, passed: 57 + 32, total: 60 + 41 });
  const document = [...markdownReporter.render(report, () => [])].join("");

  expect(document).toContain(
    "# Evaluation report: 89 of 101 passed\n\n57 of 60 results and 32 of 41 queries about triggering passed.\n",
  );
  expect(document).toContain(
    "\n## Triggering\n\ntriggering: passed 32/41 (5 failed, 4 inconclusive)\n\n| Skill ",
  );
  expect(document).toContain("| failed, recall 0.8 is below 0.9 ");
  expect(document).toContain("\nSkipped: weather (no triggering block)\n");
  expect(document).toContain(
    "\n### Queries of slides that did not pass\n\n- **failed** present these numbers",
  );
});

test("that no skill has a triggering block is not worth a word, that the pass was left out is", () => {
  const render = (reason: "no-block" | "single-case") => {
    const triggering = [sampleEntry(skippedResult("my_calc", reason), [])];
    return [...markdownReporter.render(sampleReport({ triggering }), () => [])].join("");
  };

  expect(render("no-block")).not.toContain("Triggering");
  expect(render("single-case")).toContain(
    "\n## Triggering\n\nSkipped: my\\_calc (--case was given)\n".replace("\\_", "_"),
  );
});
