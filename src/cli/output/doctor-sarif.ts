import { diagnosticRules } from "../../contract/diagnostic-rules.ts";
import type { Diagnostic } from "../../contract/findings.ts";
import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
import { type SarifResult, type SarifRule, sarifLog } from "../../report/text/sarif.ts";
import { doctorSummary } from "./doctor-words.ts";
import { namedDiagnostics } from "./named-diagnostics.ts";

/** What `doctor` found in skills, as SARIF. */
export function doctorSarif(report: DoctorReport, version: string): object {
  return sarifLog({
    tool: "doctor",
    version,
    rules: rulesIn(report),
    results: namedDiagnostics(report).map(sarifResult),
    notes: [{ level: "note", text: `${doctorSummary(report)}, profile ${report.profile}` }],
  });
}

function rulesIn({ profile }: DoctorReport): SarifRule[] {
  return Object.entries(diagnosticRules).map(([id, { rule, hint, [profile]: level }]) => ({
    id,
    message: rule,
    help: hint,
    level,
  }));
}

function sarifResult({
  code,
  severity,
  kind,
  skill,
  file,
  line,
  column,
  jsonPath,
  message,
  hint,
}: Diagnostic): SarifResult {
  return {
    ruleId: code,
    level: severity,
    message: `${message} (${hint})`,
    file,
    line,
    column,
    identity: [jsonPath ?? "", message],
    properties: { kind, skill, jsonPath },
  };
}
