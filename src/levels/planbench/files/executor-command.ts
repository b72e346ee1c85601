import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ProblemReporter } from "../../../cases/files/raw-case.ts";
import type { LoadedBench } from "../../../contract/planbench-file.ts";
import { splitCommand } from "../../../shared/text/split-command.ts";

/** The command that carries plans out, in words that no shell has read; a path in it counts from the bench. */
export function executorCommand(
  written: string | readonly string[] | null,
  dir: string,
  report: ProblemReporter,
): LoadedBench["executor"] {
  if (written === null) return null;
  const [program, ...rest] = wordsOf(written, report);
  if (program === undefined || program === "") throw report.fault(["executor"], "does not name a program");
  if (!program.includes("/")) return [program, ...rest];
  const path = resolve(dir, program);
  if (!existsSync(path)) throw report.fault(["executor"], `names ${program}, which does not exist`);
  return [path, ...rest];
}

function wordsOf(written: string | readonly string[], report: ProblemReporter): readonly string[] {
  if (typeof written !== "string") return written;
  try {
    return splitCommand(written);
  } catch (error) {
    throw report.fault(["executor"], (error as Error).message);
  }
}
