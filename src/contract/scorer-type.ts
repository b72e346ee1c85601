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
