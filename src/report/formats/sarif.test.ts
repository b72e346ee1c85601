import { expect, test } from "vitest";
import * as z from "zod";
import { cellReader, sampleDocument, sampleUnitCell } from "../../../test/sample-document.ts";
import { sarifCheck } from "../../../test/sarif-schema.ts";
import type { ReportDocument } from "../../contract/document.ts";
import type { CellReader, RenderOptions } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import { sampleSubject } from "../../store/samples.ts";
import { viewReport } from "../view/view-report.ts";
import { sarifFormat } from "./sarif.ts";

const level: Level = {
  name: "unit",
  nouns: { case: ["answer", "answers"], subject: "skill" },
  details: z.any(),
  metrics: [],
  view: { isReference: ({ arm }) => arm === "absent" },
};
const check = sarifCheck();
const calc = { trials: 2, suite: "coding-easy", skillId: "calc" };

function render(
  cells: readonly CellResult[] | CellReader,
  given: Partial<ReportDocument> = {},
  options: Partial<RenderOptions> = {},
) {
  const report = sampleDocument({ subjects: [sampleSubject(calc)], gates: [], ...given });
  const reader = typeof cells === "function" ? cells : cellReader(cells);
  const log = JSON.parse([...sarifFormat.render(viewReport(report, reader, [level], options))].join(""));
  expect(check(log), JSON.stringify(check.errors)).toBe(true);
  return log.runs[0];
}

const failed = [
  sampleUnitCell({ caseId: "b", status: "fail", reason: "expected 2, got 3" }),
  sampleUnitCell({ caseId: "b", trial: 2, status: "fail", reason: "expected 2, got 4" }),
  sampleUnitCell({
    caseId: "c",
    trial: 2,
    status: "timeout",
    cause: "deadline",
    reason: "no answer\nat all",
  }),
  sampleUnitCell({ caseId: "d", status: "invalid", cause: "judge-unavailable", reason: "429" }),
];

test("a case that did not pass is one result, its rule says how it ended in the words of its level", () => {
  const { tool, results, invocations } = render(failed);

  expect(tool.driver).toMatchObject({ name: "eval-skills eval", version: "1.0.0" });
  expect(tool.driver.rules).toMatchObject([
    { id: "unit/fail", shortDescription: { text: "An answer did not pass." } },
    { id: "unit/timeout", shortDescription: { text: "An answer timed out." } },
    {
      id: "unit/invalid",
      shortDescription: { text: "An answer has no verdict." },
      defaultConfiguration: { level: "warning" },
    },
  ]);
  expect(results).toMatchObject([
    {
      ruleId: "unit/fail",
      ruleIndex: 0,
      level: "error",
      message: { text: "b of calc: failed in 2 of 2 trials\nexpected 2, got 3" },
    },
    {
      ruleId: "unit/timeout",
      ruleIndex: 1,
      message: { text: expect.stringMatching(/: no answer\nat all$/) },
    },
    { ruleId: "unit/invalid", ruleIndex: 2, level: "warning" },
  ]);
  expect(invocations[0].toolExecutionNotifications[0]).toMatchObject({ level: "warning" });
});

test("a result is at the file of its case; without one at its suite, and the same alert", () => {
  const inFile = render(
    failed,
    {},
    { fileOf: ({ caseId }) => (caseId === "b" ? "suites/a b.json" : undefined) },
  );
  const elsewhere = render(failed.map((cell) => ({ ...cell, status: "error" })));

  const [first, second] = inFile.results;
  expect(first.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: "suites/a%20b.json" } });
  expect(second.locations[0]).toEqual({
    logicalLocations: [{ name: "coding-easy", fullyQualifiedName: "coding-easy/calc/c" }],
  });
  const prints = ({ results }: { results: { partialFingerprints: object }[] }) =>
    results.map((result) => result.partialFingerprints);
  expect(prints(inFile)).toEqual(prints(elsewhere));
  expect(new Set(prints(inFile).map((print) => JSON.stringify(print))).size).toBe(3);
});

test("what is only there to compare with has no results, and a pass after a retry is reported", () => {
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: "exit 1" } as const;
  const attempts = [attempt, { ...attempt, n: 2, status: "answered", code: null } as const];
  const { results, invocations } = render(
    [sampleUnitCell({ arm: "absent", status: "fail" }), sampleUnitCell({ caseId: "again", attempts })],
    { subjects: [sampleSubject({ ...calc, arm: "absent" }), sampleSubject(calc)], exitCode: 0 },
  );

  expect(results).toEqual([]);
  expect(JSON.stringify(invocations)).toContain("calc on coding-easy: 1 passed on attempt 2: again trial 1");
});

test("of very many cases those are results that GitHub shows, and the others are counted", () => {
  const texts = Array.from({ length: 5003 }, (_, at) =>
    JSON.stringify(sampleUnitCell({ caseId: `c${at}`, status: "fail" })),
  );
  const { results, invocations } = render(() => texts);

  expect(results).toHaveLength(5000);
  expect(JSON.stringify(invocations)).toContain("3 more cases did not pass: see the JSON report");
});

test("no text of a stranger is a link, and nothing in it is hidden", () => {
  const { results } = render([
    sampleUnitCell({ status: "fail", reason: "[here](http://evil.invalid)\u202e\u001b[31m" }),
  ]);

  expect(results[0].message.text).toMatch(/\n\[here\] \(http:\/\/evil\.invalid\)\\u\{202e\}\\e\[31m$/);
});
