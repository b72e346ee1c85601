import * as z from "zod";
import { maxIdCharacters, sandboxFloors } from "./limits.ts";
import { suiteProgramKeys } from "./suite-programs.ts";
import { Task } from "./task.ts";
import { triggeringSuite } from "./trigger-report.ts";

const scoringMethods = ["mean", "weighted_mean", "pass_at_k"] as const;

/** A named set of tasks. */
export const Benchmark = z.object({
  id: z
    .string()
    .min(1)
    .max(maxIdCharacters)
    .refine((id) => id !== triggeringSuite, `"${triggeringSuite}" is reserved for trigger tests`)
    .meta({ not: { const: triggeringSuite } }),
  name: z.string().min(1),
  version: z.string().min(1),
  domain: z.string().default("general"),
  scoringMethod: z.enum(scoringMethods).default("mean"),
  maxLatencyMs: z.number().positive().default(30_000),
  k: z.number().int().min(1).default(1),
  metadata: z.record(z.string(), z.unknown()).default({}),
  /** `skill`: call it. `files`: look at its folder, and leave it uncalled. */
  subject: z.enum(["skill", "files"]).default("skill"),
  /** The least containment its runs accept; a file may demand more, never allow less. */
  sandbox: z.enum(sandboxFloors).optional(),
  ...suiteProgramKeys,
  tasks: z.array(Task).min(1),
});
export type Benchmark = z.infer<typeof Benchmark>;

/** A benchmark and the file it comes from. */
export interface LoadedBenchmark {
  benchmark: Benchmark;
  /** Its file, absolute: scorers are named relative to it. */
  path: string;
  /** By the id of each task, where it is in that file. */
  taskPaths: ReadonlyMap<string, readonly PropertyKey[]>;
  warnings: string[];
}
