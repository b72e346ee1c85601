import { basename } from "node:path";
import { nearestSpelling } from "../../shared/text/nearest.ts";
import type { PythonImport } from "../../skills/python/python-module.ts";
import type { DeclaredTool } from "./declared-tools.ts";
import { scriptsFolder, type ToolScripts } from "./tool-scripts.ts";

/** The scripts that some tools need, each with the tool that needs it first: their own, and all that these import. */
export async function neededScripts(
  roots: readonly { name: string; script: string }[],
  scripts: ToolScripts,
  options: { withDormant: boolean },
): Promise<Map<string, string>> {
  const needed = new Map(roots.map(({ name, script }) => [script, name]));
  // Iterating a map also visits entries added meanwhile, and none twice.
  for (const [path, tool] of needed) {
    const reading = await scripts.read(path);
    if (reading.state !== "read") continue;
    for (const imported of reading.module.imports) {
      if (imported.isDormant && !options.withDormant) continue;
      const files =
        scripts.importedFiles(path, imported) ?? scripts.importedFiles(path, fromInside(imported)) ?? [];
      for (const file of files) if (!needed.has(file)) needed.set(file, tool);
    }
  }
  return needed;
}

/** `scripts.helper` is `helper` to whoever is looked for from inside: a mistake, but plainly what is meant. */
export function fromInside(imported: PythonImport): PythonImport {
  const [first, ...rest] = imported.module.split(".");
  return first === scriptsFolder && imported.level === 0 ? { ...imported, module: rest.join(".") } : imported;
}

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

/** The script that was most likely meant by a name that no script has. */
export function nearestScript(missing: string, others: readonly string[]): string | null {
  const few = others.slice(0, maxCompared);
  const inOtherCase = few.find((other) => other.toLowerCase() === missing.toLowerCase());
  if (inOtherCase !== undefined) return inOtherCase;
  const stem = fileStem(missing);
  if (stem.length < leastCompared) return null;
  const near = nearestSpelling(stem, few.map(fileStem));
  return few.find((other) => fileStem(other) === near) ?? null;
}

const maxCompared = 100;
/** Shorter names are all similar. */
const leastCompared = 4;

function fileStem(file: string): string {
  return basename(file, ".py");
}
