/** How bad a finding is, the worst first. Apart from audit.ts, which needs zod and `--help` does not. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof severities)[number];
