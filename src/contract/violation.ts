import * as z from "zod";

/** A way in which an output breaks its contract. */
export const Violation = z.object({
  /** JSON pointer into the output; empty for the whole. */
  pointer: z.string(),
  reason: z.string(),
});
export type Violation = z.infer<typeof Violation>;

/** How many of them are told of one output. */
export const maxViolations = 10;
