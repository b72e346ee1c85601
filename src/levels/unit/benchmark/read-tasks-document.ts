import { extname } from "node:path";
import { Benchmark } from "../../../contract/benchmark.ts";
import { type LocatedFile, readLocatedFile } from "../../../shared/files/located-file.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import type { LocatedDocument } from "./check-located-document.ts";

/** A file of tasks as it is written: a benchmark, or a bare list. */
export type TasksDocument = LocatedDocument & Pick<LocatedFile, "value">;

/** Reads a file of tasks. In JSON lines each line is a task, and the first one may be the benchmark they belong to. */
export async function readTasksDocument(path: string): Promise<TasksDocument> {
  const named = { path, code: "benchmark-invalid" } as const;
  const file = await readLocatedFile(path, named);
  if (extname(path) !== ".jsonl" || !Array.isArray(file.value)) return { ...named, ...file };
  const [head, ...tasks]: unknown[] = file.value;
  if (!isHead(head)) return { ...named, ...file };
  return {
    ...named,
    value: { ...head, tasks },
    faults: file.faults,
    findPosition(steps) {
      const [first, index, ...below] = steps;
      const isTask = first === "tasks" && typeof index === "number";
      return file.findPosition(isTask ? [index + 1, ...below] : [0, ...steps]);
    },
  };
}

/** What only a benchmark has; an id is no sign. */
const ownKeys = ["$schema", ...Object.keys(Benchmark.shape)].filter((key) => key !== "id");
const taskKeys = ["inputData", "expectedOutput"];

function isHead(line: unknown): line is Record<string, unknown> {
  if (!isMap(line) || taskKeys.some((key) => Object.hasOwn(line, key))) return false;
  return ownKeys.some((key) => Object.hasOwn(line, key));
}
