import { expect, test } from "vitest";
import { PureCaseFile } from "../../../contract/agent-case.ts";
import { CaseReport } from "../../../contract/agent-report.ts";
import type { LoadedPureCase } from "../../../contract/loaded-case.ts";
import { pureReport } from "./grade-pure.ts";

const loaded = {
  suite: "units",
  level: "L0",
  kind: "section",
  case: PureCaseFile.parse({ id: "a_section", kind: "section", input: {}, expect: {} }),
} as unknown as LoadedPureCase;

test("a pure function has one score, and the seven dimensions do not concern it", () => {
  const report = pureReport(loaded, { faults: [] });
  expect(CaseReport.parse(report)).toEqual(report);
  expect(report).toMatchObject({
    status: "pass",
    pass: true,
    run_id: null,
    level: "L0",
    model: "none",
    trial: 1,
  });
  const { unit, ...others } = report.scores;
  expect(unit).toEqual({
    status: "pass",
    pass: true,
    checks: [{ name: "section", status: "pass", exercised: true }],
  });
  for (const score of Object.values(others))
    expect(score).toMatchObject({ status: "not_applicable", pass: null });
});

test("what it gives otherwise fails, and what nobody can say gives no verdict", () => {
  const fault = { code: "UnitMismatch", message: "another text", expected: "a", actual: "b" };
  expect(pureReport(loaded, { faults: [fault] })).toMatchObject({
    status: "fail",
    pass: false,
    failures: [{ dimension: "unit", code: "UnitMismatch", events: [], lines: [] }],
  });
  const noVerdict = { code: "internal_error", message: "no room on the disk" };
  expect(pureReport(loaded, { faults: [], noVerdict })).toMatchObject({
    status: "invalid",
    pass: null,
    no_verdict: noVerdict,
  });
});
