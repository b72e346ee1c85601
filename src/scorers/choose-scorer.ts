import type { Scorer } from "../contract/scorer.ts";
import { type ScorerType, scorerTypes } from "../contract/scorer-type.ts";
import type { Expectation, Task } from "../contract/task.ts";
import { didYouMean } from "../shared/text/nearest.ts";
import { closeTo } from "./close-to.ts";
import { contains } from "./contains.ts";
import { custom } from "./custom.ts";
import { exactMatch } from "./exact-match.ts";
import { expectedError } from "./expected-error.ts";
import { regex } from "./regex.ts";
import { invalid, type ScorerRequest } from "./scorer-request.ts";

export type { ScorerRequest } from "./scorer-request.ts";

/** A task with one expectation or several. */
export type TaskRequest = Omit<ScorerRequest, "task" | "part"> & { task: Task };

/** Creates the scorer of a task. Any mistake in it is a `UserError`, before the first cell runs. */
export async function prepareScorer(request: TaskRequest): Promise<Scorer> {
  const { task } = request;
  const { expectedOutput } = task;
  if (expectedOutput !== undefined) return prepareOne({ ...request, task: { ...task, expectedOutput } });
  const { several } = await import("./several.ts");
  return several({ ...request, task: { ...task, expectedOutput: {} } }, prepareOne);
}

async function prepareOne(request: ScorerRequest): Promise<Scorer> {
  const type = chooseType(request);
  refuseUnread(type, request);
  switch (type) {
    case "exact_match":
      return exactMatch(request);
    case "contains":
      return contains(request);
    case "regex":
      return regex(request);
    case "json_schema":
      // Its validator takes longer to load than Node to start, so it is loaded on demand.
      return (await import("./json-schema.ts")).jsonSchema(request);
    case "close_to":
      return closeTo(request);
    case "custom":
      return custom(request);
    case "llm_judge":
      return (await import("./llm-judge.ts")).llmJudge(request);
    case "error":
      return expectedError(request);
    default:
      return type satisfies never;
  }
}

/** What each type reads of an expectation. `value` is also the right answer beside a looser expectation. */
const readKeys: Record<ScorerType, readonly (keyof Expectation)[]> = {
  exact_match: [],
  contains: ["keywords"],
  regex: ["patterns"],
  json_schema: ["schema"],
  close_to: ["absTol", "relTol"],
  custom: ["customScorerPath"],
  llm_judge: ["judgePrompt"],
  error: ["code", "status", "contains", "patterns", "retryable"],
};

/** Whoever writes keywords beside a value expects both, and one would never be looked at. */
function refuseUnread(type: ScorerType, request: ScorerRequest): void {
  const known: readonly string[] = ["type", "value", ...readKeys[type]];
  const { expectedOutput } = request.task;
  const unread = Object.keys(expectedOutput).find((key) => !known.includes(key));
  if (unread === undefined) return;
  throw invalid(
    request,
    `.expectedOutput.${unread}`,
    `${type} does not look at ${unread}`,
    "expect several things with a list: `expect`",
  );
}

const aliases: ReadonlyMap<string, ScorerType> = new Map([
  ["exact", "exact_match"],
  ["matches", "regex"],
  ["schema", "json_schema"],
  ["numeric", "close_to"],
  ["tool_error", "error"],
]);

/** All names and aliases of scorers. */
export const scorerNames: readonly string[] = [...scorerTypes, ...aliases.keys()];

/** The type behind a name or an alias, or null. */
export function canonicalScorerType(name: string): ScorerType | null {
  return aliases.get(name) ?? scorerTypes.find((type) => type === name) ?? null;
}

function chooseType(request: ScorerRequest): ScorerType {
  const { evaluator, expectedOutput } = request.task;
  const name = evaluator?.type ?? expectedOutput.type ?? request.fallbackType;
  const type = canonicalScorerType(name);
  if (type !== null) return type;
  throw invalid(
    request,
    typePath(request),
    `unknown scorer ${JSON.stringify(name)}`,
    didYouMean(name, scorerNames),
  );
}

function typePath({ task }: ScorerRequest): string {
  if (task.evaluator?.type !== undefined) return ".evaluator.type";
  return task.expectedOutput.type === undefined ? "" : ".expectedOutput.type";
}
