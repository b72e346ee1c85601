import { expect, test } from "vitest";
import { hiddenCharacters, hostileTexts } from "./sample-report.ts";
import { sampleQuery } from "./sample-trigger-query.ts";
import {
  fullTriggerReport,
  hostileTriggerReport,
  readerOf,
  sampleQueries,
  sampleTriggerReport,
  sampleTriggerResult,
} from "./sample-trigger-report.ts";
import { triggerCsvReporter } from "./trigger-csv.ts";

test("one row per query, columns in their order, nothing where nothing is known, NONE where none was chosen", () => {
  const lines = [
    sampleQuery({ query: 'say "hi", twice', queryId: "q1", answers: "YYYYYNYY", tags: ["a", "b"] }),
    sampleQuery({ query: "=cmd()", queryId: "q2", answers: "yyyyyyyy", reason: "prose" }),
    sampleQuery({ query: "no", queryId: "q3", side: "should_not_match", answers: [null], belongsTo: "x" }),
  ];
  const report = sampleTriggerReport([sampleTriggerResult("refactor", lines)]);

  expect([...triggerCsvReporter.render(report, readerOf(lines))].join("")).toBe(
    [
      "skillId,queryId,side,verdict,cause,yes,no,invalid,error,rate,lower,upper,flips,judge,model,chosen,query,reason,repeats,unreplicated,belongsTo,tags,timestamp",
      'refactor,q1,should_match,pass,,7,1,0,0,0.875,0.5291,0.9776,true,model,claude-haiku-4-5-20251001,,"say ""hi"", twice",The card names this kind of work.,8,false,,a; b,2026-03-01T07:24:31.007Z',
      'refactor,q2,should_match,invalid,no-verdict,0,0,8,0,,,,false,model,claude-haiku-4-5-20251001,,"\'=cmd()",prose,8,false,,,2026-03-01T07:24:31.007Z',
      "refactor,q3,should_not_match,pass,,0,1,0,0,0,0,0.7935,false,model,claude-haiku-4-5-20251001,NONE,no,Chose NONE.,1,true,x,,2026-03-01T07:24:31.007Z",
      "",
    ].join("\r\n"),
  );
});

test("every query of every skill has a row", () => {
  expect([...triggerCsvReporter.render(fullTriggerReport, sampleQueries)]).toHaveLength(1 + 41);
});

test("fault row 38: no text of a stranger is a formula or steers a terminal", () => {
  for (const text of hostileTexts) {
    const { report, queriesOf } = hostileTriggerReport(text);
    const rows = [...triggerCsvReporter.render(report, queriesOf)].join("");

    expect(rows).not.toMatch(/(?:^|,|\n)"?[=+@]/);
    expect(rows.replaceAll(/\r?\n/g, "")).not.toMatch(hiddenCharacters);
  }
});
