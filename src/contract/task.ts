import * as z from "zod";
import { AnyJson, type JsonSchema } from "../shared/json/json.ts";
import { longestTimerMs, maxIdCharacters } from "./limits.ts";
import { seenOutcomes } from "./seen-outcome.ts";

const positiveMs = z.number().int().min(1).max(longestTimerMs);

const oneOrMore = <Of extends z.ZodType>(value: Of) => z.union([value, z.array(value)]);

/** What is expected of an answer. Which members count depends on the scorer. */
export const Expectation = z.object({
  type: z.string().optional(),
  value: AnyJson.optional(),
  keywords: z.array(z.string()).optional(),
  patterns: z.array(z.string()).optional(),
  schema: (z.unknown() as unknown as z.ZodType<JsonSchema>).optional(),
  judgePrompt: z.string().optional(),
  absTol: z.number().min(0).optional(),
  relTol: z.number().min(0).optional(),
  customScorerPath: z.string().optional(),
  code: oneOrMore(z.string()).optional(),
  status: oneOrMore(z.number().int()).optional(),
  contains: oneOrMore(z.string()).optional(),
  retryable: z.boolean().optional(),
});
export type Expectation = z.infer<typeof Expectation>;

/** How to compare. Chosen per task; what it leaves out has a default. */
export const Evaluator = z.object({
  type: z.string().optional(),
  caseSensitive: z.boolean().optional(),
  strict: z.boolean().optional(),
  flags: z.string().optional(),
  passThreshold: z.number().gt(0).max(1).optional(),
  model: z.string().optional(),
  customScorerPath: z.string().optional(),
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]).optional(),
  timeoutMs: positiveMs.optional(),
  sees: z.array(z.enum(seenOutcomes)).min(1).optional(),
});
export type Evaluator = z.infer<typeof Evaluator>;

const OneOfSeveral = Expectation.extend({ evaluator: Evaluator.optional() });

/** One of several expectations: a single one, or alternatives of which one is enough. */
const ExpectItem = OneOfSeveral.extend({ anyOf: z.array(OneOfSeveral).min(1).optional() });
export type ExpectItem = z.infer<typeof ExpectItem>;

/** One input, and what is expected of the answer: one expectation, or several in `expect`. */
export const Task = z
  .object({
    id: z.string().min(1).max(maxIdCharacters),
    description: z.string().optional(),
    inputData: AnyJson,
    /** A case per row; written out when the file is loaded, so no task of a run has any. */
    parameters: z.array(z.record(z.string(), AnyJson)).min(1).optional(),
    expectedOutput: Expectation.optional(),
    expect: z.array(ExpectItem).min(1).optional(),
    evaluator: Evaluator.optional(),
    timeoutMs: positiveMs.optional(),
    tags: z.array(z.string()).default([]),
    weight: z.number().positive().default(1),
    document: z.string().optional(),
    /** Why its expectation may be met by wrong answers. */
    allowVacuous: z.string().min(1).optional(),
  })
  // Loading it reports the same with a position.
  .meta({ oneOf: ["expectedOutput", "expect"].map((key) => ({ required: [key] })) });
export type Task = z.infer<typeof Task>;

/** A task with the one expectation that a scorer decides about; of several it has one at a time. */
export type ScoredTask = Task & { expectedOutput: Expectation };

/** One expectation of a task, how to compare it, and where both are below the task. */
export interface TaskExpectation {
  expected: Expectation;
  evaluator: Evaluator | undefined;
  steps: readonly PropertyKey[];
  evaluatorSteps: readonly PropertyKey[];
}

/** Every single expectation of a task, alternatives among them. */
export function expectationsIn({ expectedOutput, evaluator, expect }: Task): TaskExpectation[] {
  if (expectedOutput !== undefined)
    return [
      { expected: expectedOutput, evaluator, steps: ["expectedOutput"], evaluatorSteps: ["evaluator"] },
    ];
  return (expect ?? []).flatMap((item, at) => {
    const { anyOf } = item;
    if (anyOf === undefined) return [partOf(item, ["expect", at])];
    return anyOf.map((part, below) => partOf(part, ["expect", at, "anyOf", below]));
  });
}

function partOf({ evaluator, ...expected }: ExpectItem, steps: readonly PropertyKey[]): TaskExpectation {
  return { expected, evaluator, steps, evaluatorSteps: [...steps, "evaluator"] };
}
