import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { AuditFinding, AuditReport, AuditRuleFacts, SkillAudit } from "../contract/audit.ts";
import type { Severity } from "../contract/severity.ts";
import { noFindingsIsNotSafe } from "./audit-text.ts";

/** An audit as SARIF 2.1.0, which GitHub and editors show beside the lines. */
export function auditSarif(report: AuditReport, rules: readonly AuditRuleFacts[], version: string): object {
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "eval-skills audit", version, semanticVersion: version, rules: rules.map(ruleOf) },
        },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notesOf(report) }],
        columnKind: "utf16CodeUnits",
        results: report.skills.flatMap((skill) =>
          skill.findings.map((finding) => resultOf(finding, skill, indexOf.get(finding.rule) ?? -1)),
        ),
      },
    ],
  };
}

function ruleOf({ id, name, severity, message, help }: AuditRuleFacts): object {
  return {
    id,
    name,
    shortDescription: { text: sentence(message) },
    help: { text: help },
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: ["security"], "security-severity": scores[severity] },
  };
}

function resultOf(finding: AuditFinding, { skill, folder }: SkillAudit, ruleIndex: number): object {
  const { rule, severity, file, line, message, evidence } = finding;
  const uri = uriOf(folder, file);
  const region = line === null ? {} : { region: { startLine: line, snippet: { text: evidence } } };
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: `${sentence(message)} ${evidence}`.trim() },
    locations: [{ physicalLocation: { artifactLocation: { uri }, ...region } }],
    partialFingerprints: { "evalSkillsAudit/v1": fingerprint(rule, uri, evidence) },
    properties: { severity, skill },
  };
}

/** The sentence that no findings is not safe, and whether something was not looked at: a file with no results says it too. */
function notesOf({ status, risk }: AuditReport): object[] {
  const text = `status ${status}, risk ${risk ?? "none found"}. ${noFindingsIsNotSafe}`;
  return [{ level: status === "complete" ? "note" : "warning", message: { text } }];
}

const levels: Record<Severity, "error" | "warning" | "note"> = {
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

/** Relative to where the audit was started, so that it is the same on every machine; outside of it the whole address. */
function uriOf(folder: string, file: string): string {
  const path = file === "." ? folder : folder === "." ? file : `${folder}/${file}`;
  if (isAbsolute(path)) return pathToFileURL(path).href;
  return path.split(/[\\/]/).map(encodeURIComponent).join("/");
}

/** The same finding keeps it when lines are added above. */
function fingerprint(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
