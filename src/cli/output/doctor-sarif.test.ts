import { describe, expect, test } from "vitest";
import {
  sampleDiagnostic,
  sampleExamination,
  sampleSkill,
} from "../../../test/builders/sample-examination.ts";
import { sarifCheck } from "../../../test/sarif-schema.ts";
import { diagnosticRules } from "../../contract/diagnostic-rules.ts";
import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
import { doctorSarif } from "./doctor-sarif.ts";

const name = sampleDiagnostic("SKM05", 'name "form" does not match folder "forms"');
const field = sampleDiagnostic("SKM10", 'unknown field "x"', { line: null, column: null, jsonPath: null });
const report = sampleExamination([
  sampleSkill("forms", [name, field]),
  sampleSkill("b", [sampleDiagnostic("SKD01", "b: no SKILL.md", { file: ".", line: null })], {
    folder: "/opt/a b",
  }),
]);
const renderSarif = (examination: DoctorReport) =>
  JSON.parse(JSON.stringify(doctorSarif(examination, "1.2.3")));
const sarif = renderSarif(report);
const [run] = sarif.runs;

describe("what was found in skills, as SARIF", () => {
  test("names the tool, what it came to, and every rule with what must hold and how to fix it", () => {
    expect(run.tool.driver).toMatchObject({ name: "eval-skills doctor", semanticVersion: "1.2.3" });
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(Object.keys(diagnosticRules));
    expect(run.tool.driver.rules[3]).toEqual({
      id: "SKD04",
      shortDescription: { text: "An id is unique within a root." },
      help: { text: "change one of the ids" },
      defaultConfiguration: { level: "error" },
    });
    expect(run.invocations[0].toolExecutionNotifications[0].message.text).toBe(
      "2 skills: 0 clean, 2 errors, 1 warning, profile strict",
    );
  });

  test("has a result for each finding, at its place, with its rule", () => {
    const locations = run.results.map(({ locations }: never) => (locations as never)[0]);

    expect(run.results.map(({ ruleId, level }: never) => `${ruleId} ${level}`)).toEqual([
      "SKD01 error",
      "SKM10 warning",
      "SKM05 error",
    ]);
    expect(locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: "file:///opt/a%20b" } } },
      { physicalLocation: { artifactLocation: { uri: "skills/forms/SKILL.md" } } },
      {
        physicalLocation: {
          artifactLocation: { uri: "skills/forms/SKILL.md" },
          region: { startLine: 2, startColumn: 7 },
        },
      },
    ]);
    for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(run.results[2]).toMatchObject({
      message: { text: 'name "form" does not match folder "forms" (rename one of them)' },
      properties: { kind: "agent-skill", skill: "forms", jsonPath: "$.name" },
    });
  });

  test("a finding keeps its fingerprint when it moves down the file", () => {
    const moved = renderSarif(sampleExamination([sampleSkill("forms", [{ ...name, line: 40 }])]));

    expect(moved.runs[0].results[0].partialFingerprints).toEqual(run.results[2].partialFingerprints);
  });

  test("is valid against the schema of SARIF 2.1.0, also where nothing was found", () => {
    const isValid = sarifCheck();

    expect([isValid(sarif), isValid.errors]).toEqual([true, null]);
    expect(isValid(renderSarif(sampleExamination([])))).toBe(true);
  });
});
