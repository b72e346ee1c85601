import type { Sandbox } from "../contract/sandbox.ts";
import type { ScoredTask } from "../contract/task.ts";
import { UserError } from "../shared/user-error.ts";
import type { JudgeModel } from "./llm-judge-ask.ts";

/** A task that needs a scorer, and where it was read. */
export interface ScorerRequest {
  task: ScoredTask;
  /** Where this expectation is below its task, where that has several: `.expect[1]`. */
  part?: string | undefined;
  /** The benchmark file; paths of custom scorers are relative to its folder. */
  file: string;
  /** The task's path in that file, such as `$.tasks[3]`. */
  jsonPath: string;
  /** The value of `--evaluator`: the type if the task names none. */
  fallbackType: string;
  /** The adapter types of the skills that run the task; undefined if there are none. */
  adapters?: readonly string[] | undefined;
  /** Custom scorers start their process here. */
  sandbox: Sandbox;
  /** Opens the model of a judge: the named one, or the configured one. A `UserError` if it cannot be called. */
  modelFor(id: string | undefined): Promise<JudgeModel>;
  /** Reports what the user should know before the first answer is scored. */
  warn?: ((warning: string) => void) | undefined;
}

/** The error for an expectation that any answer, or none, would meet. */
export function vacuous(request: ScorerRequest, member: string, problem: string, hint?: string): UserError {
  return refusal("expectation-vacuous", request, member, problem, hint);
}

/** The error for an invalid scorer. */
export function invalid(request: ScorerRequest, member: string, problem: string, hint?: string): UserError {
  return refusal("scorer-invalid", request, member, problem, hint);
}

function refusal(
  code: "expectation-vacuous" | "scorer-invalid",
  { task, part, file, jsonPath }: ScorerRequest,
  member: string,
  problem: string,
  hint: string | undefined,
): UserError {
  return new UserError(code, `task ${task.id}: ${problem}`, {
    path: file,
    jsonPath: `${jsonPath}${memberPath(part, member)}`,
    hint,
  });
}

/** Where a member such as `.expectedOutput.value` is, if its expectation is one of several. */
export function memberPath(part: string | undefined, member: string): string {
  if (part === undefined) return member;
  const own = ".expectedOutput";
  return `${part}${member.startsWith(own) ? member.slice(own.length) : member}`;
}
