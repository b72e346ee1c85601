import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask } from "../../contract/cell.ts";
import { type ProbedSuite, type ProbeOptions, probeCases } from "../../scorers/probe-cases.ts";

/** Puts wrong answers to every task before any skill is called. */
export function probeTasks(
  tasks: readonly ResolvedTask[],
  { benchmark, path, tasksPath }: LoadedBenchmark,
  options: Pick<ProbeOptions, "seed" | "allowVacuous">,
): Promise<ProbedSuite> {
  const paths = new Map(benchmark.tasks.map(({ id }, index) => [id, `${tasksPath}[${index}]`]));
  const cases = tasks.map(({ id, task, scorer: { probing, programProbing } }) => {
    const { value, keywords } = task.expectedOutput;
    const answer = value ?? keywords?.join(" ");
    const location = { suite: benchmark.id, id, file: path, jsonPath: paths.get(id) ?? tasksPath };
    const { inputData, document, allowVacuous } = task;
    return { ...location, probing, programProbing, answer, question: [inputData, document], allowVacuous };
  });
  return probeCases(cases, { noun: "task", ...options });
}
