import { existsSync } from "node:fs";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask } from "../../contract/cell.ts";
import type { Scorer } from "../../contract/scorer.ts";
import type { Task } from "../../contract/task.ts";
import { scorerDigest } from "../../engine/plan-cells.ts";
import { errorOfFile } from "../../levels/unit/benchmark/check-located-document.ts";
import { readTasksDocument } from "../../levels/unit/benchmark/read-tasks-document.ts";
import type { TaskRequest } from "../../scorers/choose-scorer.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { UserError } from "../../shared/user-error.ts";

/**
 * The tasks with their scorers, and the ids of those that have none because there is no model. Mistakes in what they
 * expect are reported together.
 */
export async function resolveTasks(
  { path, taskPaths }: LoadedBenchmark,
  chosen: readonly Task[],
  evaluator: string,
  prepareScorer: (request: Omit<TaskRequest, "sandbox" | "modelFor">) => Promise<Scorer | null>,
): Promise<{ tasks: ResolvedTask[]; unscored: string[] }> {
  const tasks: ResolvedTask[] = [];
  const unscored: string[] = [];
  const mistakes: UserError[] = [];
  for (const task of chosen) {
    const request = { task, file: path, jsonPath: jsonPath(taskPaths.get(task.id) ?? []) };
    const scorer = await prepareScorer({ ...request, fallbackType: evaluator }).catch((error) => {
      if (!(error instanceof UserError && error.path === path)) throw error;
      mistakes.push(error);
    });
    if (scorer === null) unscored.push(task.id);
    if (scorer == null) continue;
    tasks.push({
      id: task.id,
      title: task.description ?? null,
      input: task.inputData,
      expected: (task.expectedOutput ?? task.expect) as Json,
      tags: task.tags,
      weight: task.weight,
      task,
      digest: sha256(canonicalJson(task)),
      scorer,
      scorerDigest: scorerDigest(scorer),
    });
  }
  const [first] = mistakes;
  // Tasks that a command made are in no file, and have no lines to point at.
  if (first !== undefined)
    throw existsSync(path) ? errorOfFile(mistakes, await readTasksDocument(path)) : first;
  return { tasks, unscored };
}

/** Only tools get the open document; elsewhere the key would silently have no effect. */
export function refuseUnreadDocument(
  { task, file, jsonPath: at }: Pick<TaskRequest, "task" | "file" | "jsonPath">,
  adapters: readonly string[],
): void {
  if (task.document === undefined || adapters.every((adapter) => adapter === "tool")) return;
  throw new UserError("benchmark-invalid", `task ${task.id}: \`document\` needs the adapter \`tool\``, {
    path: file,
    jsonPath: `${at}.document`,
    hint: "name tools as <skill>#<tool>",
  });
}
