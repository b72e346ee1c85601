import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { splitCommand } from "../../base/split-command.ts";
import type { LoadedBench } from "../../contract/planbench-file.ts";
import type { Teller } from "../cases/raw-case.ts";

/** The command that carries plans out, in words that no shell has read; a path in it counts from the bench. */
export function executorCommand(
  written: string | readonly string[] | null,
  dir: string,
  tell: Teller,
): LoadedBench["executor"] {
  if (written === null) return null;
  const [program, ...rest] = wordsOf(written, tell);
  if (program === undefined || program === "") throw tell.fault(["executor"], "names no program");
  if (!program.includes("/")) return [program, ...rest];
  const path = resolve(dir, program);
  if (!existsSync(path)) throw tell.fault(["executor"], `names ${program}, which is not there`);
  return [path, ...rest];
}

function wordsOf(written: string | readonly string[], tell: Teller): readonly string[] {
  if (typeof written !== "string") return written;
  try {
    return splitCommand(written);
  } catch (error) {
    throw tell.fault(["executor"], (error as Error).message);
  }
}
