import { resolve } from "node:path";
import { auditSkill } from "../../audit/audit-skill.ts";
import { findSkillFolders, findSkillFoldersIn } from "../../audit/find-skill-folders.ts";
import { auditRules } from "../../audit/rules.ts";
import type { AuditReport, AuditRuleFacts, SkillAudit } from "../../contract/audit.ts";
import { type Severity, severities } from "../../contract/findings.ts";
import { realPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";

export interface AuditRequest {
  /** The named paths; if empty, the roots are searched. */
  paths: readonly string[];
  roots: readonly string[];
  failOn: Severity;
  cwd: string;
}

/** Audits the files of skills for security risks. Nothing is run or written. */
export async function auditSkills({ paths, roots, failOn, cwd }: AuditRequest): Promise<AuditReport> {
  const found = await (paths.length > 0 ? findSkillFolders(paths, cwd) : findSkillFoldersIn(roots, cwd));
  if (found.folders.length === 0)
    throw new UserError("skill-not-found", `no skills found in ${roots.join(", ")}`, {
      hint: "pass a skill folder: eval-skills audit ./path/to/skill",
    });
  const named = new Set(paths.map((path) => realPath(resolve(cwd, path))));
  const skills: SkillAudit[] = [];
  for (const { path, shown } of found.folders) {
    const audit = await auditSkill(path, shown);
    // "No findings" for an empty folder would look like a result, unless it was only found together with others.
    if (audit.files === 0 && audit.findings.length === 0 && named.has(path))
      throw new UserError("skill-not-found", `no files in ${shown}`, {
        path: shown,
        hint: "pass a skill folder, or a folder that contains skills",
      });
    skills.push(audit);
  }
  skills.sort(worstFirst);
  const isIncomplete = skills.some(({ status }) => status === "incomplete");
  const risk = skills[0]?.risk ?? null;
  return {
    status: isIncomplete ? "incomplete" : "complete",
    risk,
    failOn,
    counts: countFindings(skills),
    skills,
    linksNotFollowed: found.links,
    exitCode: risk !== null && severityRank(risk) <= severityRank(failOn) ? 1 : 0,
  };
}

/** The descriptions of all rules, for outputs that explain them. */
export function auditRuleFacts(): AuditRuleFacts[] {
  return auditRules.map(({ find: _, ...facts }) => facts);
}

function countFindings(skills: readonly SkillAudit[]): Record<Severity, number> {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { findings } of skills) for (const { severity } of findings) counts[severity]++;
  return counts;
}

function worstFirst(a: SkillAudit, b: SkillAudit): number {
  return severityRank(a.risk) - severityRank(b.risk) || (a.folder < b.folder ? -1 : 1);
}

function severityRank(severity: Severity | null): number {
  return severity === null ? severities.length : severities.indexOf(severity);
}
