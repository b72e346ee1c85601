/** How much of others is taken at once. */
export const intakeLimits = {
  bodyBytes: 1024 * 1024,
  events: 500,
  eventBytes: 32 * 1024,
  depth: 32,
} as const;
