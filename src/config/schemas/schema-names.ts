/** The files whose schema can be printed. Apart from the schemas, so that naming them loads nothing. */
export const schemaNames = [
  "skill",
  "adapter-config",
  "ah32.skill.v1",
  "ah32.plan.v1",
  "benchmark",
  "task",
  "strategy",
  "config",
  "eval",
  "case",
  "suite",
  "report",
  "planbench",
  "telemetry-event",
] as const;
export type SchemaName = (typeof schemaNames)[number];
