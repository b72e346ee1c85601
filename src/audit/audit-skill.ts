import { basename, resolve } from "node:path";
import type { AuditFinding, SkillAudit } from "../contract/audit.ts";
import { severities } from "../contract/findings.ts";
import { shorten, shownText, visibleText } from "../shared/text/visible-text.ts";
import { readSkillFolder } from "./read-skill-folder.ts";
import type { AuditedSkill, AuditRule, Match } from "./rule.ts";
import { auditRules } from "./rules.ts";
import { skillWords } from "./skill-words.ts";

const longestEvidence = 200;
const listedPerRule = 50;
/** A file made to match on every line must not fill the memory. */
const countedPerRule = 10_000;

/** Reads a folder and puts every rule to it. Nothing of it is run, and nothing outside of it is read. */
export async function auditSkill(folder: string, shownFolder: string): Promise<SkillAudit> {
  const content = await readSkillFolder(folder);
  const words = await skillWords(content.files, basename(resolve(folder)));
  const skill: AuditedSkill = { ...words, ...content };
  const found = auditRules.map((rule) => applyRule(rule, skill));
  const findings = found.flatMap((list) => list.slice(0, listedPerRule)).sort(worstFirst);
  return {
    skill: visibleText(shorten(skill.name, longestEvidence)),
    folder: shownFolder,
    status: skill.unexamined.length === 0 ? "complete" : "incomplete",
    risk: findings[0]?.severity ?? null,
    files: skill.files.length,
    findings,
    unlisted: found.reduce((count, list) => count + Math.max(0, list.length - listedPerRule), 0),
  };
}

/** What one rule says about a skill: once per line, the worst first. */
export function applyRule(rule: AuditRule, skill: AuditedSkill): AuditFinding[] {
  const byLocation = new Map<string, AuditFinding>();
  for (const match of rule.find(skill)) {
    const finding = findingFrom(rule, match);
    const key = JSON.stringify([match.file, match.line ?? match.evidence]);
    const known = byLocation.get(key);
    if (known === undefined || severityRank(finding) < severityRank(known)) byLocation.set(key, finding);
    if (byLocation.size >= countedPerRule) break;
  }
  return [...byLocation.values()].sort(worstFirst);
}

function findingFrom(rule: AuditRule, match: Match): AuditFinding {
  return {
    rule: rule.id,
    name: rule.name,
    severity: match.severity ?? rule.severity,
    file: match.file,
    line: match.line,
    message: match.message ?? rule.message,
    // Cut before and after: escapes make a text longer, and a long one slow.
    evidence: shownText(match.evidence.trim(), longestEvidence),
  };
}

function worstFirst(a: AuditFinding, b: AuditFinding): number {
  if (severityRank(a) !== severityRank(b)) return severityRank(a) - severityRank(b);
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.rule < b.rule ? -1 : 1);
}

function severityRank({ severity }: AuditFinding): number {
  return severities.indexOf(severity);
}
