/** The scorers there are. */
export const scorerTypes = [
  "exact_match",
  "contains",
  "regex",
  "json_schema",
  "close_to",
  "llm_judge",
  "custom",
  "error",
] as const;
export type ScorerType = (typeof scorerTypes)[number];

/** A scorer of several expectations, each with its own: it has no name that a file could write. */
export const severalScorers = "several";
