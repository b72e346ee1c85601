import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { Task } from "../../contract/task.ts";
import { splitCommand } from "../../shared/text/split-command.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";

/** What no skill may see even where it lies in its own folder: the expectations, what scores them, and other skills. */
export function hiddenPaths(
  { benchmark, path }: Pick<LoadedBenchmark, "benchmark" | "path">,
  skills: readonly LoadedSkill[],
): string[] {
  const folder = dirname(path);
  const scorers = benchmark.tasks.flatMap(scorerWords).map((word) => resolve(folder, word));
  const found = [path, ...scorers].filter((file) => existsSync(file));
  return [...new Set([...found, ...skills.map(({ skill }) => skill.dir)])];
}

/** Words that may be files: the module a task names, and everything in a command. */
function scorerWords({ evaluator, expectedOutput }: Task): string[] {
  const words = [evaluator?.customScorerPath, expectedOutput.customScorerPath];
  return [...words, ...wordsOf(evaluator?.command)].filter(
    (word) => word !== undefined && word !== "",
  ) as string[];
}

function wordsOf(command: string | readonly string[] | undefined): readonly string[] {
  if (typeof command !== "string") return command ?? [];
  try {
    return splitCommand(command);
  } catch {
    return []; // a command that cannot be read is refused when its scorer is made
  }
}
