import * as z from "zod";
import { scorerTypes } from "../contract/scorer-type.ts";

/** What became of one of several expectations. */
const PartScore = z.object({
  scorerType: z.enum(scorerTypes),
  passed: z.boolean(),
  /** Null where its scorer failed. */
  score: z.number().nullable(),
  reason: z.string().nullable(),
});

/** The same where one of some alternatives was enough: those that were tried. */
const AnyScore = PartScore.omit({ scorerType: true }).extend({ anyOf: z.array(PartScore) });

export const ExpectationScore = z.union([PartScore, AnyScore]);
export type ExpectationScore = z.infer<typeof ExpectationScore>;
