import { shorten } from "../base/visible-text.ts";
import type { ResolvedTask } from "../contract/cell.ts";
import type { Json } from "../contract/json.ts";
import type { TaskFacts } from "../contract/report.ts";
import type { Task } from "../contract/task.ts";

const keptChars = 2000;
const mostTasks = 5000;

/** What a report repeats of its tasks; of very many nothing, for they would have to fit in memory once more. */
export function factsOfTasks(tasks: readonly ResolvedTask[]): TaskFacts[] | undefined {
  return tasks.length > mostTasks ? undefined : tasks.map(({ task }) => taskFacts(task));
}

/** What a report repeats of a task: enough to understand a result without the benchmark at hand. */
export function taskFacts({ id, description, inputData, expectedOutput }: Task): TaskFacts {
  const input = kept(inputData);
  const expected = kept(expectedOutput as Json);
  return {
    id,
    description: description ?? null,
    input: input.value,
    expected: expected.value,
    isShortened: input.isShortened || expected.isShortened,
  };
}

function kept(value: Json): { value: Json; isShortened: boolean } {
  const text = JSON.stringify(value);
  if (text.length <= keptChars) return { value, isShortened: false };
  return { value: shorten(text, keptChars), isShortened: true };
}
