import { shorten } from "../../shared/text/visible-text.ts";
import type { ChanceKind, PythonImport, PythonModule } from "../../skills/python/python-module.ts";
import { isStandardModule } from "../../skills/python/standard-library.ts";
import type { ToolFinding } from "./declared-tools.ts";
import { fromInside } from "./needed-scripts.ts";
import { scriptsFolder, type ToolScripts } from "./tool-scripts.ts";

/** Reports what a script needs that not every machine has, and what makes its results unreliable. */
export function* checkScript(
  file: string,
  module: PythonModule,
  scripts: ToolScripts,
  declared: readonly string[],
): Generator<ToolFinding> {
  const reported = new Set<string>();
  for (const imported of module.imports) {
    const name = `${".".repeat(imported.level)}${imported.module}`;
    const first = imported.level === 0 ? topModule(imported) : name;
    const isKnown = isStandardModule(first) || declared.includes(first);
    const isFine = imported.isDormant || (imported.level === 0 && isKnown);
    if (isFine || reported.has(first) || scripts.importedFiles(file, imported) !== null) continue;
    reported.add(first);
    yield {
      code: "PTS07",
      at: { file, line: imported.line },
      message: `${file}:${imported.line}: import ${shorten(name, 80)}`,
      ...hintFor(imported),
    };
  }
  for (const { line, pattern } of module.swallows)
    yield { code: "PTS09", at: { file, line }, message: `${file}:${line}: ${pattern}` };
  for (const { line, pattern, kind } of module.chances)
    yield {
      code: "PTS09",
      at: { file, line },
      message: `${file}:${line}: ${pattern}`,
      hint: chanceHints[kind],
    };
}

function hintFor(imported: PythonImport): { hint?: string } {
  if (imported.level > 0) return { hint: "fix the import, or add the module" };
  const { module } = fromInside(imported);
  return module === imported.module
    ? {}
    : { hint: `modules are imported from ${scriptsFolder}/ itself: remove that prefix` };
}

const chanceHints: Readonly<Record<ChanceKind, string>> = {
  clock: "take the time as a parameter",
  random: "take a seed as a parameter",
  network: "take what it fetches as a parameter",
};

function topModule({ module }: PythonImport): string {
  return module.split(".", 1)[0] ?? module;
}
