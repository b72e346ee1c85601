/** How bad a finding is, the worst first. Apart from audit.ts, which needs zod and `--help` does not. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof severities)[number];

/** What `--fail-on` takes; nobody fails on what is only for information. */
export const failSeverities = ["critical", "high", "medium", "low"] as const satisfies readonly Severity[];

/** The formats an audit can be written in. */
export const auditFormats = ["text", "json", "sarif"] as const;
export type AuditFormat = (typeof auditFormats)[number];
