import type { Unscored } from "../contract/scorer.ts";
import { isSameEntry, watchFile } from "../shared/files/file-stamp.ts";
import { nearPath } from "../shared/files/paths.ts";

const maxTries = 3;

/**
 * Watches the files of a scorer from now on. Skills may run while an answer is scored: where somebody wrote to a file
 * meanwhile, nobody knows what scored. The same scorer is then asked again, and another one decides nothing.
 */
export function steadyFiles(paths: readonly string[], folder: string) {
  const watches = paths.map((path) => ({ path, watch: watchFile(path) }));
  return async function steadily<Value>(ask: () => Promise<Value>): Promise<Value | Unscored> {
    for (let tries = 1; ; tries++) {
      const changed = watches.find(({ watch }) => !watch.isUnchanged());
      if (changed !== undefined) return scorerChanged(changed.path, folder);
      const before = watches.map(({ watch }) => watch.stats());
      const answer = await ask();
      const touched = watches.find(({ watch }, n) => !isSameEntry(before[n] ?? null, watch.stats()));
      if (touched === undefined) return answer;
      if (tries === maxTries) return scorerChanged(touched.path, folder);
    }
  };
}

function scorerChanged(path: string, folder: string): Unscored {
  return {
    score: null,
    cause: "scorer-changed",
    message: `${nearPath(path, folder)} changed during the run`,
  };
}
