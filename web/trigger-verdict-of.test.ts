import { expect, test } from "vitest";
import { sampleQuery } from "../src/reporters/sample-trigger-query.ts";
import {
  fullTriggerReport,
  sampleTriggerReport,
  sampleTriggerResult,
  skippedResult,
} from "../src/reporters/sample-trigger-report.ts";
import { triggerVerdictOf } from "./trigger-verdict-of.ts";

const passing = sampleQuery({ query: "a", answers: "YYYYYYYY" });
const failing = sampleQuery({ query: "b", answers: "NNNNNNNN" });
const split = sampleQuery({ query: "c", answers: "YYNNYNYN" });
const prose = sampleQuery({ query: "d", answers: "????????" });

test.each([
  ["0", [passing], "pass", "Exit code 0: every query passed."],
  ["0", [passing, split], "pass", "Exit code 0: 1 query is undecided, accepted as asked."],
  ["1", [failing, failing], "fail", "Exit code 1: 2 queries failed."],
  [
    "3",
    [split, prose, failing],
    "invalid",
    "Exit code 3: no verdict, since 1 query is undecided and 1 query is without a usable answer.",
  ],
])("exit code %s is told in words", (code, lines, mark, why) => {
  const exitCode = Number(code) as 0 | 1 | 3;
  const report = sampleTriggerReport([sampleTriggerResult("refactor", lines)], { exitCode });

  expect(triggerVerdictOf(report, lines)).toMatchObject({ mark, why });
});

test("a gate that was missed and a skip that was forbidden are told", () => {
  const { gate } = fullTriggerReport;
  const below = sampleTriggerReport([sampleTriggerResult("refactor", [passing])], { gate, exitCode: 1 });
  const skipped = sampleTriggerReport([skippedResult("weather")], { exitCode: 1 });

  expect(triggerVerdictOf(below, [passing]).why).toBe("Exit code 1: 1 skill is below the gate.");
  expect(triggerVerdictOf(skipped, []).why).toContain(
    "1 skill was skipped, which --require-triggering forbids",
  );
});
