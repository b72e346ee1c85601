import { type DiagnosticCode, diagnosticRules } from "../../src/contract/diagnostic-rules.ts";
import type { Diagnostic } from "../../src/contract/findings.ts";
import type { DoctorReport, ExaminedSkill } from "../../src/operations/doctor/doctor-report.ts";

/** A finding for tests. */
export function sampleDiagnostic(
  code: DiagnosticCode,
  message: string,
  facts: Partial<Diagnostic> = {},
): Diagnostic {
  const { strict: severity, hint } = diagnosticRules[code];
  const shared = { code, severity, kind: "agent-skill", skill: "forms", message, hint } as const;
  return { ...shared, file: "SKILL.md", line: 2, column: 7, jsonPath: "$.name", ...facts };
}

/** A skill that was examined, for tests; named like its folder by default. */
export function sampleSkill(
  id: string,
  diagnostics: readonly Diagnostic[] = [],
  facts: Partial<ExaminedSkill> = {},
): ExaminedSkill {
  return {
    id,
    kind: "agent-skill",
    kinds: ["agent-skill"],
    folder: `skills/${id}`,
    source: "project",
    tokens: { metadata: 98, body: 1240, resources: 5300, isCapped: false },
    errors: diagnostics.filter(({ severity }) => severity === "error").length,
    warnings: diagnostics.filter(({ severity }) => severity === "warning").length,
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, skill: id })),
    unlisted: 0,
    ...facts,
  };
}

/** What examining skills came to, for tests. */
export function sampleExamination(
  skills: readonly ExaminedSkill[],
  facts: Partial<DoctorReport> = {},
): DoctorReport {
  const errors = skills.reduce((sum, skill) => sum + skill.errors, 0);
  const warnings = skills.reduce((sum, skill) => sum + skill.warnings, 0);
  const clean = skills.filter((skill) => skill.errors + skill.warnings === 0).length;
  return {
    skills,
    notes: [],
    counts: { skills: skills.length, errors, warnings, clean },
    profile: "strict",
    failOn: "error",
    exitCode: errors > 0 ? 1 : 0,
    ...facts,
  };
}
