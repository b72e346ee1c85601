import { basename } from "node:path";
import { Benchmark, type LoadedBenchmark } from "../../../contract/benchmark.ts";
import type { Task } from "../../../contract/task.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { jsonPath } from "../../../shared/json/locations.ts";
import { didYouMean, spacesHint } from "../../../shared/text/nearest.ts";
import { UserError } from "../../../shared/user-error.ts";
import {
  checkLocatedDocument,
  type DocumentProblem,
  type Expanded,
  refusal,
} from "./check-located-document.ts";
import { serviceProblems } from "./check-programs.ts";
import { expandTasks } from "./expand-parameters.ts";
import { bareBenchmarkId } from "./find-benchmark.ts";
import { readTasksDocument } from "./read-tasks-document.ts";

const maxInputBytes = 10 * 1_048_576;

/** Reads any file of tasks for a run that is started in this folder. */
export function loadTasksFile(path: string, cwd: string): Promise<LoadedBenchmark> {
  return loadBenchmark(path, bareBenchmarkId(path, cwd));
}

/**
 * Reads a benchmark, or a bare list of tasks, and checks what can be checked without preparing the scorers.
 * A bare list has no id of its own: `bareId` should be its path, so that unrelated files never share a history.
 */
export async function loadBenchmark(path: string, bareId: string = basename(path)): Promise<LoadedBenchmark> {
  const document = await readTasksDocument(path);
  const { value: content } = document;
  if (content === undefined) throw refusal([], document);
  if (Array.isArray(content)) {
    const expanded = expandTasks(content, []);
    const { value: tasks, warnings } = checkLocatedDocument(
      content,
      Benchmark.shape.tasks,
      document,
      (found) => taskProblems(found, []),
      expanded,
    );
    // The tasks were parsed above, and are not parsed again.
    const bare = Benchmark.parse({ id: bareId, name: bareId, version: "0.0.0", tasks: tasks.slice(0, 1) });
    return { benchmark: { ...bare, tasks }, path, taskPaths: taskPaths(tasks, [], expanded), warnings };
  }
  const expanded = expandBenchmark(content);
  const { value: benchmark, warnings } = checkLocatedDocument(
    content,
    Benchmark,
    document,
    (found) =>
      isMap(found) ? [...serviceProblems(found.services), ...taskProblems(found.tasks, ["tasks"])] : [],
    expanded,
  );
  return { benchmark, path, taskPaths: taskPaths(benchmark.tasks, ["tasks"], expanded), warnings };
}

function expandBenchmark(content: unknown): Expanded {
  const tasks = isMap(content) && Array.isArray(content.tasks) ? content.tasks : null;
  if (!isMap(content) || tasks === null) return { value: content, problems: [], stepsOf: (steps) => steps };
  const expanded = expandTasks(tasks, ["tasks"]);
  return { ...expanded, value: { ...content, tasks: expanded.value } };
}

function taskPaths(
  tasks: readonly Task[],
  above: readonly PropertyKey[],
  { stepsOf }: Expanded,
): LoadedBenchmark["taskPaths"] {
  return new Map(tasks.map(({ id }, index) => [id, stepsOf([...above, index])]));
}

/** What the schema of a task cannot say: ids are unique, and no input is too large. */
function taskProblems(tasks: unknown, above: readonly PropertyKey[]): DocumentProblem[] {
  const seen = new Set<unknown>();
  const problems: DocumentProblem[] = [];
  for (const [index, task] of (Array.isArray(tasks) ? tasks : []).entries()) {
    if (!isMap(task)) continue;
    const { id, inputData } = task;
    const add = (member: string, message: string) =>
      problems.push({ steps: [...above, index, member], message });
    if (typeof id === "string" && id !== "" && seen.has(id)) add("id", `duplicate task id \`${id}\``);
    seen.add(id);
    const named = typeof id === "string" ? `task ${id}` : jsonPath([...above, index]);
    problems.push(...expectationProblems(task, [...above, index]));
    if (isTooLarge(inputData)) add("inputData", `${named} has more than 10 MiB of inputData`);
  }
  return problems;
}

/** A task has one expectation, or several, each of which is a single one or a list of alternatives. */
function expectationProblems(
  { expectedOutput, expect, evaluator }: Record<string, unknown>,
  at: readonly PropertyKey[],
): DocumentProblem[] {
  const problem = (below: readonly PropertyKey[], message: string, hint?: string): DocumentProblem => {
    const steps = [...at, ...below];
    return { steps, message: `${jsonPath(steps)} ${message}`, hint };
  };
  if (expect === undefined)
    return expectedOutput === undefined ? [problem(["expectedOutput"], "is required and missing")] : [];
  const both = expectedOutput !== undefined;
  return [
    ...(both ? [problem(["expect"], "and `expectedOutput` exclude each other", "keep one of them")] : []),
    ...(evaluator !== undefined && !both
      ? [problem(["evaluator"], "has no effect beside `expect`", "write it into the items of `expect`")]
      : []),
    ...(Array.isArray(expect) ? expect : []).flatMap((item, index) => {
      const others =
        isMap(item) && item.anyOf !== undefined ? Object.keys(item).filter((key) => key !== "anyOf") : [];
      return others.map((key) =>
        problem(["expect", index, key], "has no effect beside `anyOf`", "write it into an item of `anyOf`"),
      );
    }),
  ];
}

function isTooLarge(input: unknown): boolean {
  // A text shorter than a quarter of the limit cannot exceed it in bytes, so most tasks are not measured.
  const text = JSON.stringify(input) ?? "";
  return text.length > maxInputBytes / 4 && Buffer.byteLength(text) > maxInputBytes;
}

export interface TaskSelection {
  tags: readonly string[];
  ids: readonly string[];
}

/** The selected tasks, in the order of the benchmark. */
export function selectTasks(tasks: readonly Task[], { tags, ids }: TaskSelection): Task[] {
  const known = tasks.map(({ id }) => id);
  for (const id of ids) {
    if (!known.includes(id)) {
      throw new UserError("usage", `task not found in this benchmark: ${id}`, {
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
