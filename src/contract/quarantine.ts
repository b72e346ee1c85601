import * as z from "zod";
import { gateLevels } from "./configured-gate.ts";

const text = z.string().min(1);
const isDayShaped = /^\d{4}-\d\d-\d\d$/;
const isCaseShaped = /[^/]\/[^/]/;
// Editors check the patterns; what they cannot say is checked here, in words.
const day = z
  .string()
  .superRefine((written, context) => {
    const at = isDayShaped.test(written) ? Date.parse(`${written}T00:00:00Z`) : Number.NaN;
    // 31 November is read as 1 December.
    if (Number.isNaN(at) || new Date(at).toISOString().slice(0, written.length) !== written)
      context.addIssue({ code: "custom", message: "must be a day, such as 2027-01-31" });
  })
  .meta({ pattern: isDayShaped.source });
const casePattern = text
  .superRefine((written, context) => {
    if (!isCaseShaped.test(written))
      context.addIssue({ code: "custom", message: "must be <skill>/<case>, such as weather/flaky-*" });
  })
  .meta({ pattern: isCaseShaped.source });

/** Cases that are run and shown and decide nothing for a while. */
export const QuarantineEntry = z.strictObject({
  /** `<skill>/<case>`; `*` stands for any text. Where no skill is tested, the suite takes its place. */
  case: casePattern,
  /** Left out, of every level. */
  level: z.enum(gateLevels).optional(),
  /** The last day. */
  until: day,
  reason: text,
});
export type QuarantineEntry = z.infer<typeof QuarantineEntry>;

/** Who looks after skills. */
export const OwnerEntry = z.strictObject({ skill: text, owner: text });
export type OwnerEntry = z.infer<typeof OwnerEntry>;

/** Why a cell decides nothing. */
export const Quarantined = QuarantineEntry.pick({ until: true, reason: true });
export type Quarantined = z.infer<typeof Quarantined>;
