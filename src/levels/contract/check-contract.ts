import { setImmediate as otherWork } from "node:timers/promises";
import { auditSkill } from "../../audit/audit-skill.ts";
import { auditRules } from "../../audit/rules.ts";
import type { AuditFinding } from "../../contract/audit.ts";
import {
  type Diagnostic,
  messageWithoutLocation,
  type Severity,
  severities,
} from "../../contract/findings.ts";
import type { Score } from "../../contract/scorer.ts";
import {
  type ExaminedFolder,
  examineFound,
  examineTriggering,
  hasEvalFile,
  type TriggeringCheck,
} from "../../lint/examine-found.ts";
import { addRelated, type RelatedFinding } from "../../lint/related-findings.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import type { FoundFolder } from "../../skills/discover/discover-skills.ts";
import type { ContractEvidence, ContractFinding } from "./details.ts";

/** The severity of an audit finding from which on it breaks a contract. */
const breachSeverity: Severity = "high";
/** More of one skill are counted, not listed. */
const maxFindings = 200;

/** What is known of a skill before its files are checked. */
export interface ContractSubject {
  found: FoundFolder;
  /** What other skills are the cause of. */
  related: readonly RelatedFinding[];
  /** The names that its trigger queries may refer to. */
  siblings: ReadonlySet<string> | null;
}

/** Puts the checks of `doctor` and `audit` to one skill. Nothing of it is run, and it decides nothing. */
export async function checkContract(
  { found, related, siblings }: ContractSubject,
  checkTriggering: TriggeringCheck,
): Promise<ContractEvidence> {
  const examined = await examineFound(found, "strict");
  addRelated(found, related, examined.diagnostics);
  if (isLoaded(examined) && hasEvalFile(examined.folder))
    await examineTriggering(examined, siblings, checkTriggering);
  await otherWork(); // lets signals be handled between two long checks
  const audit = await auditSkill(found.dir, found.shown);
  const notExamined = audit.findings.filter(({ rule }) => rule === notExaminedRule);
  const all = [
    ...examined.diagnostics.list().map((one) => fromDoctor(one)),
    ...audit.findings.map((one) => fromAudit(one)),
  ];
  const breaches = all.filter(({ isBreach }) => isBreach);
  return {
    findings: [...breaches, ...all.filter(({ isBreach }) => !isBreach)].slice(0, maxFindings),
    counts: {
      findings: all.length + examined.diagnostics.unlisted + audit.unlisted,
      breaches: breaches.length,
    },
    unexamined:
      audit.status === "complete"
        ? []
        : notExamined.map(({ file, evidence }) => ({ file, reason: evidence })),
  };
}

const notExaminedRule = "AUD199";

function isLoaded(
  one: ExaminedFolder,
): one is ExaminedFolder & { skill: NonNullable<ExaminedFolder["skill"]> } {
  return one.skill !== null;
}

function fromDoctor(diagnostic: Diagnostic): ContractFinding {
  const { code, severity, file, line, column, hint } = diagnostic;
  return {
    check: "doctor",
    rule: code,
    severity,
    isBreach: severity === "error",
    file,
    line,
    column,
    message: messageWithoutLocation(diagnostic),
    fix: hint,
  };
}

const auditHelp = new Map(auditRules.map(({ id, help }) => [id, help]));

function fromAudit({ rule, severity, file, line, message, evidence }: AuditFinding): ContractFinding {
  return {
    check: "audit",
    rule,
    severity,
    isBreach: severities.indexOf(severity) <= severities.indexOf(breachSeverity),
    file,
    line,
    column: null,
    message: evidence === "" || message.includes(evidence) ? message : `${message}: ${evidence}`,
    fix: auditHelp.get(rule) ?? "",
  };
}

/** A contract is broken by a single breach, whatever else could not be looked at; without one, only a whole audit says that it holds. */
export function scoreContract({ findings, counts, unexamined }: ContractEvidence): Score {
  const [worst] = findings;
  if (counts.breaches > 0 && worst !== undefined) {
    const more = counts.breaches - 1;
    const others = more === 0 ? "" : ` (and ${pluralize(more, "more breach", "more breaches")})`;
    return { score: 0, passed: false, reason: `${findingWords(worst)}${others}` };
  }
  if (unexamined.length > 0)
    return {
      score: null,
      cause: "not-examined",
      message: `the audit is incomplete: ${listed(
        unexamined.map(({ file, reason }) => `${file}: ${reason}`),
        3,
      )}`,
    };
  const reason = counts.findings === 0 ? null : `${pluralize(counts.findings, "finding")} below the limit`;
  return { score: 1, passed: true, reason };
}

/** `SKM01 SKILL.md:3: message`. */
function findingWords({ rule, file, line, message }: ContractFinding): string {
  const at = file === "." ? "" : ` ${file}${line === null ? "" : `:${line}`}`;
  return `${rule}${at}: ${message}`;
}
