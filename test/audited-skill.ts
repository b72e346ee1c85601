import { findingsOf } from "../src/skills/audit/audit-skill.ts";
import { auditedFile } from "../src/skills/audit/audited-file.ts";
import type { AuditedSkill, AuditRule } from "../src/skills/audit/rule.ts";
import { skillWords } from "../src/skills/audit/skill-words.ts";

/** Paths with their content; a number behind a `#` in a path is the file's mode: `run.sh#755`. */
export type SkillFiles = Record<string, string | Buffer>;

/** A skill as rules see it, from the text of its files. */
export async function auditedSkill(
  files: SkillFiles,
  more: Partial<AuditedSkill> = {},
): Promise<AuditedSkill> {
  const read = Object.entries(files).map(([name, content]) => {
    const [path = "", mode = "644"] = name.split("#");
    return auditedFile(path, Buffer.from(content), 0o100_000 | Number.parseInt(mode, 8));
  });
  return { ...(await skillWords(read, "a-skill")), files: read, specials: [], unexamined: [], ...more };
}

/** Where a rule finds something: `SKILL.md:3 high`. */
export async function foundBy(
  rule: AuditRule,
  files: SkillFiles,
  more: Partial<AuditedSkill> = {},
): Promise<string[]> {
  const findings = findingsOf(rule, await auditedSkill(files, more));
  return findings.map(({ file, line, severity }) => `${file}${line === null ? "" : `:${line}`} ${severity}`);
}
