import * as z from "zod";
import { type Severity, severities } from "./findings.ts";

/** One thing in a skill's files that a reader should look at before trusting it. */
export const AuditFinding = z.object({
  /** Stable for ever, such as `AUD121`; a retired id is not used again. */
  rule: z.string(),
  /** The same in words, such as `pipe-to-shell`. */
  name: z.string(),
  severity: z.enum(severities),
  /** Relative to the folder of the skill, `/`-separated; `.` for the folder as a whole. */
  file: z.string(),
  /** From 1; null where the finding is about a whole file. */
  line: z.number().int().nullable(),
  /** What is wrong, in a sentence. */
  message: z.string(),
  /** The text it was found in, cut to 200 characters; hidden characters are written as escapes. */
  evidence: z.string(),
});
export type AuditFinding = z.infer<typeof AuditFinding>;

/** What an audit of one skill folder came to. */
export const SkillAudit = z.object({
  skill: z.string(),
  /** As the user named it. */
  folder: z.string(),
  /** `incomplete`: something could not be looked at; see the findings of AUD199. */
  status: z.enum(["complete", "incomplete"]),
  /** The worst severity found; null when nothing was. No findings does not mean safe. */
  risk: z.enum(severities).nullable(),
  files: z.number().int(),
  findings: z.array(AuditFinding),
  /** Further findings, where one rule found more than a list should hold. */
  unlisted: z.number().int(),
});
export type SkillAudit = z.infer<typeof SkillAudit>;

/** What is shown about a rule wherever its findings are. */
export interface AuditRuleFacts {
  /** `AUD121`. */
  id: string;
  /** `pipe-to-shell`. */
  name: string;
  severity: Severity;
  /** One sentence about what was found. */
  message: string;
  /** One sentence about what to do. */
  help: string;
}

/** What an audit of several skills came to. */
export interface AuditReport {
  status: SkillAudit["status"];
  risk: Severity | null;
  failOn: Severity;
  /** How many findings of each severity, those not listed left out. */
  counts: Record<Severity, number>;
  /** The worst first. */
  skills: readonly SkillAudit[];
  /** Links to folders that were met on the way and not followed. */
  linksNotFollowed: readonly string[];
  exitCode: 0 | 1;
}
