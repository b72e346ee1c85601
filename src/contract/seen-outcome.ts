/** The ways a call can end that a scorer may be asked about. */
export const seenOutcomes = ["answer", "error", "timeout"] as const;
export type SeenOutcome = (typeof seenOutcomes)[number];
