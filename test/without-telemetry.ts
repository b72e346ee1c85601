/** Most tests have nothing to do with telemetry and need not wait for its file; their own settings win. */
export const withoutTelemetry = { EVAL_SKILLS_TELEMETRY_MODE: "off" } as const;
