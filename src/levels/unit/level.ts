import * as z from "zod";
import type { Level } from "../../contract/level.ts";
import { scorerTypes, severalScorers } from "../../contract/scorer-type.ts";
import { ExpectationScore } from "../../scorers/expectation-score.ts";
import { unitRows } from "./options.ts";
import { unitView } from "./view.ts";

/** The details of a task's cell. */
export const UnitDetails = z.object({
  scorerType: z.enum([...scorerTypes, severalScorers]),
  weight: z.number(),
  tags: z.array(z.string()),
  /** What became of each expectation, where a task has several. */
  expectations: z.array(ExpectationScore).optional(),
});
export type UnitDetails = z.infer<typeof UnitDetails>;

/** Does a skill do its job? An adapter calls it with the input of a task; a scorer compares the answer. */
export const unitLevel: Level = {
  name: "unit",
  options: unitRows,
  view: unitView,
  nouns: { case: ["task", "tasks"], subject: "skill" },
  details: UnitDetails,
  metrics: [
    {
      name: "completionRate",
      label: "completion",
      unit: "share",
      better: "up",
      isCompared: true,
      isMain: true,
    },
    { name: "errorRate", label: "error rate", unit: "share", better: "down", isCompared: true },
    { name: "errorRateWithRetries", label: "error rate with retries", unit: "share", better: "down" },
    { name: "latencyP95Ms", label: "P95 latency", unit: "ms", better: "down", isCompared: true },
    {
      name: "compositeScore",
      label: "composite score",
      unit: "score",
      better: "up",
      isCompared: true,
      isMain: true,
    },
    { name: "partialScore", label: "partial score", unit: "score", better: "up" },
    { name: "consistencyScore", label: "consistency", unit: "score", better: "up" },
    { name: "flakeRate", label: "flaky tasks", unit: "share", better: "down" },
  ],
};
