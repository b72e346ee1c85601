import { basename } from "node:path";
import type { DeclaredTool } from "./declared-tools.ts";
import { nearestScript } from "./nearest-script.ts";
import { neededScripts } from "./needed-scripts.ts";
import type { ToolScripts } from "./tool-scripts.ts";

/** The scripts that no tool needs; none where some may be loaded in a way that reading does not show. */
export async function orphansAmong(
  spare: readonly string[],
  tools: readonly DeclaredTool[],
  scripts: ToolScripts,
): Promise<string[]> {
  const needed = await neededScripts(tools, scripts, { withDormant: true });
  const meant = new Set<string>();
  let orphans = spare.filter((file) => !needed.has(file));
  for (const file of needed.keys()) {
    const reading = await scripts.read(file);
    if (reading.state === "read") {
      const { module } = reading;
      if (module.importsByMadeUpName) return [];
      orphans = orphans.filter((orphan) => !module.mentions(basename(orphan)));
    } else if (reading.state === "problem" && reading.problem === "missing")
      meant.add(nearestScript(file, spare) ?? file);
    else return [];
  }
  return orphans.filter((file) => !meant.has(file));
}
