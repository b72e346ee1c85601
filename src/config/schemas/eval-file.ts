import * as z from "zod";
import { JudgeSettings, QueryEntry, TriggerGate } from "../../contract/triggering.ts";

const Query = z.union([z.string().trim().min(1).max(4000), QueryEntry]);

/** The `triggering` block as it is written. */
const TriggeringBlock = z
  .object({
    judge: JudgeSettings.nullish(),
    should_match: z.array(Query).nullish(),
    should_not_match: z.array(Query).nullish(),
    import: z.array(z.string().trim().min(1)).max(20).nullish(),
    gate: TriggerGate.nullish(),
  })
  // A block without any of them tests nothing.
  .meta({ anyOf: ["should_match", "should_not_match", "import"].map((key) => ({ required: [key] })) });

/** The `eval.yaml` of a skill, as editors check it; loading it tells every fault with its line instead. */
export const EvalFile = z.object({
  defaults: z.looseObject({ model: z.string().trim().min(1).nullish() }).optional(),
  triggering: TriggeringBlock.optional(),
  /** Of other levels, which say themselves what may stand there. */
  tools: z.unknown().optional(),
  cases: z.unknown().optional(),
});
