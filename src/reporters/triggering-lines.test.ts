import { expect, test } from "vitest";
import { resultLines } from "./result-lines.ts";
import { hiddenCharacters, hostileTexts, sampleReport, sampleSkill } from "./sample-report.ts";
import { sampleQuery } from "./sample-trigger-query.ts";
import {
  fullTriggerReport,
  hostileTriggerReport,
  sampleEntry,
  sampleQueries,
  sampleTriggerResult,
  skippedResult,
} from "./sample-trigger-report.ts";

const passing = sampleSkill({ counts: { total: 60, pass: 60, fail: 0, error: 0, timeout: 0, invalid: 0 } });
const noGate = { ...sampleReport().gate, enforced: false };
const lines = [
  sampleQuery({ query: "refactor src/foo.py", answers: "YYYYYYYY" }),
  sampleQuery({ query: "清理全局变量", answers: "yyyyyyyy" }),
  sampleQuery({ query: "explain what this file does", side: "should_not_match", answers: "YYYYYYYY" }),
  sampleQuery({ query: "make this easier to test", answers: "YYNNYNYN" }),
];
const entry = sampleEntry(sampleTriggerResult("refactor", lines), lines);

test("eval has a line per skill with trigger tests, and what did not pass", () => {
  const report = sampleReport({
    reports: [passing],
    triggering: [entry],
    gate: noGate,
    exitCode: 3,
    files: [],
  });

  expect(resultLines(report, false, () => [])).toBe(
    `my_calc  CR 95.0% [86.3–98.3]  ER 1.7%  P95 412 ms  Score 0.9673

refactor  triggering: passed 1/4 (2 failed, 1 inconclusive)  judge: model claude-haiku-4-5-20251001, eval.yaml

refactor: 3 trigger queries did not pass
  清理全局变量                 failed        should_match: no usable answer 8 of 8 times
  explain what this file does  failed        should_not_match: would load, yes 8/8 [0.676–1]
  make this easier to test     inconclusive  should_match: undecided, yes 4/8 [0.215–0.785]

No verdict: 2 queries without a verdict. Mend what they say and run again, or accept them with --allow-invalid.
`,
  );
});

test("several skills have a sum, and those skipped are named with the reason", () => {
  const triggering = fullTriggerReport.results.map((result) =>
    sampleEntry(result, [...sampleQueries(result.skillId)]),
  );
  const text = resultLines(sampleReport({ reports: [passing], triggering, exitCode: 1 }), false, () => []);

  expect(text).toContain(
    "\nslides           triggering: passed 4/5 (1 failed)                    judge: router (lexical), no model configured\n",
  );
  expect(text).toContain(
    "\ntriggering: passed 32/41 (5 failed, 4 inconclusive)\ntriggering skipped: weather (no triggering block)\n",
  );
  expect(text).toContain(
    "\n4 trigger queries failed: refactor (1), contract-review (1), doc-editor (1), slides (1).",
  );
  expect(text).toContain("\n5 queries without a verdict, accepted.\n");
});

test("of skills without a triggering block nothing is said where no skill has one", () => {
  const text = (reason: "no-block" | "single-case") =>
    resultLines(
      sampleReport({ triggering: [sampleEntry(skippedResult("my_calc", reason), [])] }),
      false,
      () => [],
    );

  expect(text("no-block")).not.toContain("triggering");
  expect(text("single-case")).toContain("\ntriggering skipped: my_calc (--case was given)\n");
});

test("five queries of a skill are named, and ten skills", () => {
  const many = Array.from({ length: 7 }, (_, n) => sampleQuery({ query: `query ${n}`, answers: "N" }));
  const triggering = Array.from({ length: 13 }, (_, n) =>
    sampleEntry(sampleTriggerResult(`skill_${n}`, many), many),
  );

  const text = resultLines(sampleReport({ triggering }), false, () => []);

  expect(text.match(/^ {2}query \d +failed/gm)).toHaveLength(50);
  expect(text.match(/^ {2}… and 2 more$/gm)).toHaveLength(10);
  expect(text).toContain("\n… and 3 more skills with queries that did not pass\n");
});

test("fault row 36: hostile queries print as visible text", () => {
  for (const hostile of hostileTexts) {
    const { report, queriesOf } = hostileTriggerReport(hostile);
    const triggering = report.results.map((result) => sampleEntry(result, [...queriesOf(result.skillId)]));

    expect(resultLines(sampleReport({ triggering, exitCode: 1 }), false, () => [])).not.toMatch(
      hiddenCharacters,
    );
  }
});
