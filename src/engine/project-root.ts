import { dirname, resolve } from "node:path";
import type { RunConfig } from "./request.ts";

/** The folder of the configuration file, else the current one. */
export function projectRoot({ project }: RunConfig["files"], cwd: string): string {
  return project === null ? cwd : dirname(resolve(cwd, project));
}
