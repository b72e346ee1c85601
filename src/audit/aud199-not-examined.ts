import type { AuditRule } from "./rule.ts";

/** What the audit did not look at, or not as a whole. Each makes the audit incomplete. */
export const notExamined: AuditRule = {
  id: "AUD199",
  name: "not-examined",
  severity: "info",
  message: "not scanned",
  help: "Review it yourself, or remove it from the skill.",
  *find({ unexamined }) {
    for (const { path, reason } of unexamined)
      yield { file: path, line: null, evidence: reason, message: `not fully scanned: ${reason}` };
  },
};
