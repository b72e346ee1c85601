import type { Answer, Score } from "../src/contract/scorer.ts";
import type { Evaluator, Expectation } from "../src/contract/task.ts";
import { Task } from "../src/contract/task.ts";
import { prepareScorer, type ScorerRequest } from "../src/scorers/choose-scorer.ts";
import type { Json } from "../src/shared/json/json.ts";
import { UserError } from "../src/shared/user-error.ts";
import { countingSandbox } from "./counting-sandbox.ts";

/** The request for the fourth task of a benchmark. */
export function requestFor(
  expectedOutput: Expectation,
  evaluator?: Evaluator,
  more: Partial<ScorerRequest> = {},
): ScorerRequest {
  const task = Task.parse({
    id: "t",
    inputData: { x: 2 },
    expectedOutput,
    ...(evaluator === undefined ? {} : { evaluator }),
  });
  const location = { file: "/suite/benchmark.json", jsonPath: "$.tasks[3]", fallbackType: "exact" };
  const modelFor = () => Promise.reject(new Error("this task asks no model"));
  return { task: { ...task, expectedOutput }, ...location, sandbox: countingSandbox(), modelFor, ...more };
}

/** Scores an answer with the scorer of this task. */
export async function scoreAnswer(request: ScorerRequest, output: Json): Promise<Score> {
  return await (await prepareScorer(request)).score(makeAnswer(request.task, output));
}

/** An answer to a task, given at the first trial. */
export function makeAnswer(task: Task, output: Json): Answer {
  return { task, output, latencyMs: 12, trial: 1, signal: new AbortController().signal };
}

/** The mistake that making the scorer finds. */
export async function mistakeIn(request: ScorerRequest): Promise<UserError> {
  try {
    await prepareScorer(request);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error("the scorer was made, and it should have been refused");
}
