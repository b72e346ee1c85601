import type { AuditFinding, AuditReport, AuditRuleFacts, SkillAudit } from "../../contract/audit.ts";
import type { Severity } from "../../contract/findings.ts";
import {
  type SarifLevel,
  type SarifResult,
  type SarifRule,
  sarifLog,
  sentence,
} from "../../report/text/sarif.ts";
import { noFindingsIsNotSafe } from "./audit-text.ts";
import { fileIn } from "./named-diagnostics.ts";

/** An audit as SARIF. */
export function auditSarif(report: AuditReport, rules: readonly AuditRuleFacts[], version: string): object {
  const { status, risk, skills } = report;
  return sarifLog({
    tool: "audit",
    version,
    rules: rules.map(sarifRule),
    results: skills.flatMap((skill) => skill.findings.map((finding) => sarifResult(finding, skill))),
    // Also in a file without results.
    notes: [
      {
        level: status === "complete" ? "note" : "warning",
        text: `status ${status}, risk ${risk ?? "none found"}. ${noFindingsIsNotSafe}`,
      },
    ],
  });
}

function sarifRule({ id, name, severity, message, help }: AuditRuleFacts): SarifRule {
  const properties = { tags: ["security"], "security-severity": scores[severity] };
  return { id, name, message, help, level: levels[severity], properties };
}

function sarifResult(finding: AuditFinding, { skill, folder }: SkillAudit): SarifResult {
  const { rule, severity, file, line, message, evidence } = finding;
  return {
    ruleId: rule,
    level: levels[severity],
    message: `${sentence(message)} ${evidence}`.trim(),
    file: fileIn(folder, file),
    line,
    snippet: evidence,
    identity: [evidence],
    properties: { severity, skill },
  };
}

const levels: Record<Severity, SarifLevel> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "note",
};

/** What GitHub sorts by. */
const scores: Record<Severity, string> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "2.0",
  info: "0.0",
};
