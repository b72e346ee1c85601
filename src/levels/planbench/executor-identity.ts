import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { LoadedBench } from "../../contract/planbench-file.ts";
import { isInside } from "../../shared/files/is-inside.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";

/** Everything about a command that may change how it carries plans out: its words, and the files of the bench they name. */
export function executorIdentity({ executor, dir }: Pick<LoadedBench, "executor" | "dir">): Json {
  if (executor === null) return null;
  return executor.map((word) => ({ word, digest: digestOf(resolve(dir, word), dir) }));
}

const maxBytes = 16 * 1024 * 1024;

function digestOf(path: string, dir: string): string | null {
  const found = isInside(dir, path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return found?.isFile() === true && found.size <= maxBytes ? sha256(readFileSync(path)) : null;
}
