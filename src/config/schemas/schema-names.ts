/** The files whose shape can be asked for. Kept apart from the shapes, so that naming them loads nothing. */
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
