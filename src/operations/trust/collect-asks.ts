import type { UserPlace } from "../../config/config-files.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { Ask } from "../../contract/grant.ts";

/** Everything the files of a project ask for, and what could not be read. */
export async function collectAsks(
  project: string,
  { home, env }: UserPlace,
): Promise<{ asks: Ask[]; warnings: string[] }> {
  const { asks } = await loadConfig({ cwd: project, home, env });
  return { asks: [...asks], warnings: [] };
}
