import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask } from "../../contract/cell.ts";
import { expectationsIn } from "../../contract/task.ts";
import { type ProbedSuite, type ProbeOptions, probeCases } from "../../scorers/probe-cases.ts";
import { jsonPath } from "../../shared/json/locations.ts";

/** Puts wrong answers to every task before any skill is called. */
export function probeTasks(
  tasks: readonly ResolvedTask[],
  { benchmark, path, taskPaths }: LoadedBenchmark,
  options: Pick<ProbeOptions, "seed" | "allowVacuous">,
): Promise<ProbedSuite> {
  const cases = tasks.map(({ id, task, scorer: { probing, programProbing } }) => {
    const expected = expectationsIn(task).map((one) => one.expected);
    const { value, keywords } = expected.find((one) => (one.value ?? one.keywords) !== undefined) ?? {};
    const answer = value ?? keywords?.join(" ");
    const location = { suite: benchmark.id, id, file: path, jsonPath: jsonPath(taskPaths.get(id) ?? []) };
    const { inputData, document, allowVacuous } = task;
    return { ...location, probing, programProbing, answer, question: [inputData, document], allowVacuous };
  });
  return probeCases(cases, { noun: "task", ...options });
}
