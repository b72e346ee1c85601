import * as z from "zod";

const count = z.number().int().min(0);

/** How a cell stands in the record. Nothing else is ever stored. */
export const verdicts = ["pass", "fail", "error", "timeout", "invalid"] as const;
export type Verdict = (typeof verdicts)[number];

/** How many cells ended each way; `total` leaves out the invalid ones, which count nowhere. */
export const Counts = z.object({
  total: count,
  pass: count,
  fail: count,
  error: count,
  timeout: count,
  invalid: count,
});
export type Counts = z.infer<typeof Counts>;
