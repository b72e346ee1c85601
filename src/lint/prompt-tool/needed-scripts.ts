import type { PythonImport } from "../../skills/python/python-module.ts";
import { scriptsFolder, type ToolScripts } from "./tool-scripts.ts";

/** The scripts that some tools need, each with the tool that needs it first: their own, and all that these import. */
export async function neededScripts(
  roots: readonly { name: string; script: string }[],
  scripts: ToolScripts,
  options: { withDormant: boolean },
): Promise<Map<string, string>> {
  const needed = new Map(roots.map(({ name, script }) => [script, name]));
  // A map hands out what is added while it is gone through, and nothing twice.
  for (const [path, tool] of needed) {
    const reading = await scripts.read(path);
    if (reading.state !== "read") continue;
    for (const imported of reading.module.imports) {
      if (imported.isDormant && !options.withDormant) continue;
      const files = scripts.filesOf(path, imported) ?? scripts.filesOf(path, fromInside(imported)) ?? [];
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
