import { expect, test } from "vitest";
import { type ReportParts, skillParts } from "../../../test/sample-report-file.ts";
import { plainUnit, sampleGate, sampleView } from "../../../test/sample-view.ts";
import type { GateReport } from "../../contract/document.ts";
import { gateWords } from "./gate-words.ts";
import { verdictMark } from "./verdict-words.ts";

const failed = skillParts({ tasks: { a: "ppf" } });
const passed = skillParts({ tasks: { a: "ppp" } });
const open = skillParts({ tasks: { a: "pp", b: "ii" } });
const fix = "fix what has no verdict and run again, or accept a share of it with --max-invalid";

test.each<[exitCode: 0 | 1 | 2 | 3, parts: ReportParts[], words: string, reasons: string[]]>([
  [0, [passed], "✓ all 3 passed", []],
  [0, [skillParts({ tasks: { a: "p" } })], "✓ 1 passed", []],
  [0, [failed], "! 1 of 3 failed, no gate is enforced", []],
  [0, [failed, sampleGate("my_calc", false, false)], "! 1 of 3 failed, no gate is enforced", []],
  [
    0,
    [failed, sampleGate("my_calc", true)],
    "✓ 1 of 3 failed, every gate passed",
    ["completion: 1 skill at or above the 90% threshold: my_calc (95.0%)"],
  ],
  [0, [open], "✓ 2 passed, 2 without a verdict", ["what has no verdict is allowed"]],
  [0, [skillParts({ tasks: { a: "i" } })], "? no verdict, allowed", []],
  [0, [skillParts({ tasks: { a: "ii" } })], "? no verdict on any of 2, allowed", []],
  [
    1,
    [failed, sampleGate("my_calc", false)],
    "✗ 1 of 3 failed",
    ["completion: 1 skill below the 90% threshold: my_calc (50.0%)"],
  ],
  [
    1,
    [passed, { skipped: [{ level: "unit", suite: "s", skillId: "x", caseId: null, reason: "no-tests" }] }],
    "✗ all 3 passed, required tests were skipped",
    ["not tested: 1 skill (no-tests): x"],
  ],
  [
    2,
    [
      passed,
      { notLoaded: [{ path: "skills/x", code: "SKD02", reason: "skills/x/skill.json:1:1: invalid" }] },
    ],
    "? all 3 passed, 1 skill not loaded",
    ["skills/x not loaded: skills/x/skill.json:1:1: invalid"],
  ],
  [3, [open], "? no verdict: 2 passed, 2 without a verdict", [fix]],
  [3, [skillParts({ tasks: { a: "ii" } })], "? no verdict on any of 2", [fix]],
  [
    3,
    [passed, sampleGate("my_calc", null)],
    "? no verdict: all 3 passed",
    ["completion: unknown for 1 skill, the 90% threshold cannot be checked: my_calc"],
  ],
  [
    3,
    [passed],
    "? no verdict: all 3 passed",
    ["not everything that was planned has a result that can be used"],
  ],
  [
    3,
    [],
    "? no verdict: nothing was tested",
    ["not everything that was planned has a result that can be used"],
  ],
])("exit code %s: %#", (exitCode, parts, words, reasons) => {
  const view = sampleView([...parts, { exitCode }]);

  expect(`${verdictMark(view)} ${view.verdict.words}`).toBe(words);
  expect(view.verdict.reasons).toEqual(reasons);
});

test("gates on the same figure are one sentence, in the unit of the figure", () => {
  const gate: GateReport = {
    ...{ level: "unit", metric: "completionRate", on: "lower", op: ">=", threshold: 0.925 },
    ...{ subject: null, value: 0.9, passed: false, enforced: true },
  };
  const of = (skillId: string) => ({ ...gate, subject: { suite: "s", skillId, model: null, arm: null } });

  expect(gateWords(["a", "b", "c", "d", "e", "f"].map(of), [plainUnit])).toEqual([
    "completion (lower bound): 6 skills below the 92.5% threshold: a (90.0%), b (90.0%), c (90.0%), d (90.0%), e (90.0%) and 1 more",
  ]);
  expect(
    gateWords(
      [{ ...gate, subject: null, on: "point", threshold: 0.9, value: 0.89999, passed: false }],
      [plainUnit],
    ),
  ).toEqual(["completion: 89.999%, below the 90% threshold"]);
  expect(
    gateWords([{ ...gate, metric: "failedQueries", on: "point", op: "<=", threshold: 0, value: 2 }], []),
  ).toEqual(["failed queries: 2, above the limit of 0"]);
  const familyWise = { verdicts: 12, p: 0.0981 };
  expect(gateWords([{ ...of("a"), value: 0.93, familyWise }], [plainUnit])).toEqual([
    "completion (lower bound, corrected for 12): 1 skill not surely at or above the 92.5% threshold: a (93.0%, p = 0.098)",
  ]);
});
