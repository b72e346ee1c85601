import { basename, dirname } from "node:path";
import { spoolPath } from "./spool.ts";

/** The folder in which we keep what is ours, unless somebody names another place. */
const ownFolder = ".eval-skills";

/** Everything that telemetry writes: no part of a skill, and shown to none. */
export function writtenPaths(sqlitePath: string): string[] {
  const files = [sqlitePath, spoolPath(sqlitePath)].flatMap((file) =>
    ["", "-wal", "-shm", "-journal"].map((suffix) => `${file}${suffix}`),
  );
  const folder = dirname(sqlitePath);
  return basename(folder) === ownFolder ? [folder, ...files] : files;
}
