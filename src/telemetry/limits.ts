/** Limits on what clients may send at once. */
export const intakeLimits = {
  bodyBytes: 1024 * 1024,
  events: 500,
  eventBytes: 32 * 1024,
  depth: 32,
} as const;
