import type { Model } from "../contract/model.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { Task } from "../contract/task.ts";
import { UserError } from "../shared/user-error.ts";

/** A task that needs a scorer, and where it was read. */
export interface ScorerRequest {
  task: Task;
  /** The benchmark file; paths of custom scorers are relative to its folder. */
  file: string;
  /** The task's place in that file, such as `$.tasks[3]`. */
  jsonPath: string;
  /** What `--evaluator` says: the type where the task names none. */
  fallbackType: string;
  /** How the skills are called that the task is put to; nothing where none is. */
  adapters?: readonly string[] | undefined;
  /** Custom scorers start their process here. */
  sandbox: Sandbox;
  /** Opens the model a judge asks: the named one, or the configured one. A `UserError` where it cannot be asked. */
  modelFor(id: string | undefined): Promise<{ model: Model; temperature: number }>;
  /** Told of what is worth knowing before the first answer is scored. */
  warn?: ((warning: string) => void) | undefined;
}

/** The error for an expectation that any answer, or none, would meet. */
export function vacuous(request: ScorerRequest, member: string, problem: string, hint?: string): UserError {
  return refusal("expectation-vacuous", request, member, problem, hint);
}

/** The error for a scorer that cannot work as it is written. */
export function invalid(request: ScorerRequest, member: string, problem: string, hint?: string): UserError {
  return refusal("scorer-invalid", request, member, problem, hint);
}

function refusal(
  code: "expectation-vacuous" | "scorer-invalid",
  { task, file, jsonPath }: ScorerRequest,
  member: string,
  problem: string,
  hint: string | undefined,
): UserError {
  return new UserError(code, `task ${task.id}: ${problem}`, {
    path: file,
    jsonPath: `${jsonPath}${member}`,
    hint,
  });
}
