import { spacesHint } from "../base/comma-list.ts";
import { didYouMean } from "../base/nearest.ts";
import { Benchmark } from "../contract/benchmark.ts";
import type { Task } from "../contract/task.ts";
import { UserError } from "../contract/user-error.ts";
import { checkDocument } from "./check-document.ts";
import { readJsonFile } from "./read-json-file.ts";

const maxInputBytes = 10 * 1_048_576;

export interface LoadedBenchmark {
  benchmark: Benchmark;
  /** The file it stands in, absolute: scorers are named relative to it. */
  path: string;
  /** Where the list of tasks stands in that file. */
  tasksPath: "$" | "$.tasks";
  warnings: string[];
}

/** Reads a benchmark, or a bare list of tasks, and checks what can be checked without preparing the scorers. */
export function loadBenchmark(path: string): LoadedBenchmark {
  const content = readJsonFile(path, "benchmark-invalid");
  const document = { path, code: "benchmark-invalid" } as const;
  if (Array.isArray(content)) {
    const { value: tasks, warnings } = checkDocument(content, Benchmark.shape.tasks, document);
    checkTasks(tasks, path, "$");
    const benchmark = Benchmark.parse({ id: "custom", name: "custom", version: "0.0.0", tasks });
    return { benchmark, path, tasksPath: "$", warnings };
  }
  const { value: benchmark, warnings } = checkDocument(content, Benchmark, document);
  checkTasks(benchmark.tasks, path, "$.tasks");
  return { benchmark, path, tasksPath: "$.tasks", warnings };
}

function checkTasks(tasks: readonly Task[], path: string, tasksPath: string): void {
  const seen = new Set<string>();
  for (const [index, { id, inputData }] of tasks.entries()) {
    const refuse = (member: string, problem: string) =>
      new UserError("benchmark-invalid", `${path}: ${problem}`, {
        path,
        jsonPath: `${tasksPath}[${index}].${member}`,
      });
    if (seen.has(id)) throw refuse("id", `the task id ${id} stands twice`);
    seen.add(id);
    if (inputData === undefined) throw refuse("inputData", `task ${id} has no inputData`);
    // A text shorter than a quarter of the cap cannot pass it in bytes, so most tasks need no measuring.
    const text = JSON.stringify(inputData);
    if (text.length > maxInputBytes / 4 && Buffer.byteLength(text) > maxInputBytes) {
      throw refuse("inputData", `task ${id} has more than 10 MiB of inputData`);
    }
  }
}

export interface TaskSelection {
  tags: readonly string[];
  ids: readonly string[];
}

/** The tasks a command asked for, in the order of the benchmark. */
export function selectTasks(tasks: readonly Task[], { tags, ids }: TaskSelection): Task[] {
  const known = tasks.map(({ id }) => id);
  for (const id of ids) {
    if (!known.includes(id)) {
      throw new UserError("usage", `there is no task ${id} in this benchmark`, {
        hint: spacesHint(id, (part) => known.includes(part)) ?? didYouMean(id, known),
      });
    }
  }
  const selected = tasks.filter(
    (task) =>
      (ids.length === 0 || ids.includes(task.id)) &&
      (tags.length === 0 || task.tags.some((tag) => tags.includes(tag))),
  );
  if (selected.length > 0) return selected;
  const knownTags = [...new Set(tasks.flatMap((task) => task.tags))];
  throw new UserError("nothing-to-do", `no task has the tag ${tags.join(" or ")}`, {
    hint: tagHint(tags[0] ?? "", knownTags),
  });
}

function tagHint(tag: string, known: readonly string[]): string {
  if (known.length === 0) return "no task of this benchmark has tags";
  return spacesHint(tag, (part) => known.includes(part)) ?? didYouMean(tag, known);
}
