/** How a cell stands in the record. Nothing else is ever stored. */
export const verdicts = ["pass", "fail", "error", "timeout", "invalid"] as const;
export type Verdict = (typeof verdicts)[number];

/** How many cells ended each way; `total` leaves out the invalid ones, which count nowhere. */
export type Counts = Record<Verdict, number> & { total: number };
