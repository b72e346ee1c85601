import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { askRead } from "../../../contract/asks.ts";
import type { LoadedBenchmark } from "../../../contract/benchmark.ts";
import type { Ask } from "../../../contract/grant.ts";
import { expectationsIn, type Task } from "../../../contract/task.ts";
import { programFiles } from "../../../engine/programs/program-files.ts";
import { isSystemPath } from "../../../sandbox/host/system-folders.ts";
import { jsonPath } from "../../../shared/json/locations.ts";
import { splitCommand } from "../../../shared/text/command-line.ts";

/**
 * What a task asks for: files outside of the folders the user works in that its scorer is, or that its command names. A
 * scorer runs contained, so that nothing inside needs a grant.
 */
export function taskAsks(
  { benchmark, path, taskPaths }: LoadedBenchmark,
  folders: readonly string[],
): (task: Task) => readonly Ask[] {
  const place = { asker: "benchmark", file: path } as const;
  const whole = askRead(path, folders, {
    ...place,
    subject: benchmark.id,
    steps: [],
    purpose: "read as part of it",
  });
  const ofPrograms = programFiles(benchmark, path).flatMap(({ file, steps }) =>
    askRead(file, folders, { ...place, subject: benchmark.id, steps, purpose: "started for it" }),
  );
  const shared = [...whole, ...ofPrograms];
  return (task) => {
    const { id } = task;
    const outside = namedFiles(task, dirname(path)).flatMap(({ file, steps }) =>
      askRead(resolve(dirname(path), file), folders, {
        ...place,
        subject: `${benchmark.id}/${id}`,
        steps: [...(taskPaths.get(id) ?? []), ...steps],
        purpose: `read for ${jsonPath(steps).slice(2)}`,
      }),
    );
    return outside.length === 0 ? shared : [...shared, ...outside];
  };
}

/** The files that the expectations of a task name, and where. */
function namedFiles(task: Task, folder: string): { file: string; steps: readonly PropertyKey[] }[] {
  const module = (file: string | undefined, steps: readonly PropertyKey[]) =>
    file === undefined ? [] : [{ file, steps: [...steps, "customScorerPath"] }];
  return expectationsIn(task).flatMap(({ expected, evaluator, steps, evaluatorSteps }) => [
    ...module(evaluator?.customScorerPath, evaluatorSteps),
    ...module(expected.customScorerPath, steps),
    ...pathsIn(evaluator?.command, folder).map((file) => ({ file, steps: [...evaluatorSteps, "command"] })),
  ]);
}

/** The words of a command that are files or folders, but not those of the system. */
function pathsIn(command: string | readonly string[] | undefined, folder: string): readonly string[] {
  return words(command).filter((word) => {
    const path = resolve(folder, word);
    return word !== ".." && !isSystemPath(path) && existsSync(path);
  });
}

function words(command: string | readonly string[] | undefined): readonly string[] {
  if (typeof command !== "string") return command ?? [];
  try {
    return splitCommand(command);
  } catch {
    return []; // a command that cannot be read is refused when its scorer is made
  }
}
