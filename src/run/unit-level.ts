import * as z from "zod";
import type { Level } from "../contract/level.ts";
import { scorerTypes } from "../contract/scorer-type.ts";

/** What the cell of a task stores of its own. */
export const UnitDetails = z.object({
  scorerType: z.enum(scorerTypes),
  weight: z.number(),
  tags: z.array(z.string()),
});
export type UnitDetails = z.infer<typeof UnitDetails>;

/** Does a skill do its job? An adapter calls it with the input of a task; a scorer compares the answer. */
export const unitLevel: Level = {
  name: "unit",
  nouns: { case: ["task", "tasks"], subject: "skill" },
  details: UnitDetails,
  metrics: [
    { name: "completionRate", unit: "share", better: "up", isCompared: true, isMain: true },
    { name: "errorRate", unit: "share", better: "down", isCompared: true },
    { name: "latencyP95Ms", unit: "ms", better: "down", isCompared: true },
    { name: "compositeScore", unit: "score", better: "up", isCompared: true, isMain: true },
    { name: "partialScore", unit: "score", better: "up" },
    { name: "consistencyScore", unit: "score", better: "up" },
    { name: "flakeRate", unit: "share", better: "down" },
  ],
};
