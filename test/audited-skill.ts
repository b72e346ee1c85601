import { applyRule } from "../src/audit/audit-skill.ts";
import { auditedFile } from "../src/audit/audited-file.ts";
import type { AuditedSkill, AuditRule } from "../src/audit/rule.ts";
import { skillWords } from "../src/audit/skill-words.ts";
import type { Severity } from "../src/contract/findings.ts";

/** Contents by path; a single text is the skill's own page. A number behind a `#` is the file's mode: `run.sh#755`. */
export type SkillTexts = string | Record<string, string | Buffer>;

/** A skill as rules see it, made of texts. */
export async function auditedSkill(
  texts: SkillTexts,
  more: Partial<AuditedSkill> = {},
): Promise<AuditedSkill> {
  const byPath = typeof texts === "string" ? { "SKILL.md": texts } : texts;
  const files = Object.entries(byPath).map(([name, content]) => {
    const [path = "", mode = "644"] = name.split("#");
    return auditedFile(path, Buffer.from(content as string), 0o100000 | Number.parseInt(mode, 8));
  });
  return { ...(await skillWords(files, "sample")), files, specials: [], unexamined: [], ...more };
}

/** The worst severity a rule finds in these texts, or null. */
export async function worstSeverity(rule: AuditRule, texts: SkillTexts): Promise<Severity | null> {
  return applyRule(rule, await auditedSkill(texts))[0]?.severity ?? null;
}

/** Everything a rule finds in these texts: `SKILL.md:3 high`. */
export async function foundBy(
  rule: AuditRule,
  texts: SkillTexts,
  more: Partial<AuditedSkill> = {},
): Promise<string[]> {
  const findings = applyRule(rule, await auditedSkill(texts, more));
  return findings.map(({ file, line, severity }) => `${file}${line === null ? "" : `:${line}`} ${severity}`);
}
