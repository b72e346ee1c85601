import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { namesIn } from "../../sandbox/host/folders.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";

/** The directory of a run, named by path or by id. */
export function findRun(named: string, { cwd, runsDir }: { cwd: string; runsDir: string }): string {
  const root = resolve(cwd, runsDir);
  const candidates = [resolve(cwd, named), join(root, named)];
  const found = candidates.find((dir) => {
    const log = join(dir, "events.jsonl");
    // Below a file there is nothing to look at, which stat alone would throw for.
    return existsSync(log) && statSync(log).isFile();
  });
  if (found !== undefined) return found;
  if (basename(named) === "events.jsonl" && existsSync(resolve(cwd, named)))
    throw new UserError("usage", `${named} is the log of a run, not its directory`, {
      path: named,
      hint: `pass the directory: ${dirname(named)}`,
    });
  const runs = namesIn(root).sort();
  const near = nearest(named, runs);
  const newest = runs.at(-1);
  throw new UserError("usage", `no run ${named}: no events.jsonl found`, {
    path: named,
    hint:
      near !== null
        ? `did you mean ${near}?`
        : `searched ${runsDir}${newest === undefined ? "" : `; the latest run there is ${newest}`}`,
  });
}
