import { isAbsolute, posix } from "node:path";
import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { kindOfValue } from "../../../shared/json/json-values.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import type { EvalFile, ReadFile } from "./read-eval-file.ts";
import type { QuerySource } from "./read-queries.ts";
import { readQuerySet } from "./read-query-set.ts";

/** What imports are read with. */
export interface ImportContext {
  skill: Pick<DescribedSkill, "id" | "aliases" | "name">;
  readFile: ReadFile;
  evalFile: EvalFile;
  diagnostics: Diagnostics;
}

const maxImports = 20;

const unreadable: QuerySource = { queries: [], isWhole: false };

/** Reads the files that a `triggering` block imports. */
export function readImports(imports: unknown, context: ImportContext): QuerySource[] {
  const { evalFile, diagnostics } = context;
  if (imports === undefined || imports === null) return [];
  const steps = ["triggering", "import"];
  if (!Array.isArray(imports) || imports.length > maxImports) {
    const reason = Array.isArray(imports)
      ? `has ${imports.length} entries, limit ${maxImports}`
      : `must be a list of paths, not ${kindOfValue(imports)}`;
    diagnostics.add("TRG03", evalFile.locate(steps), `import: ${reason}`, {
      hint: "for example [trigger-set.json]",
    });
    return [unreadable];
  }
  return imports.map((path, index) => readImport(path, index, context));
}

function readImport(path: unknown, index: number, context: ImportContext): QuerySource {
  const { skill, readFile, evalFile, diagnostics } = context;
  const location = evalFile.locate(["triggering", "import", index]);
  if (typeof path !== "string" || path.trim() === "") {
    diagnostics.add("TRG03", location, `import[${index}]: must be a path`);
    return unreadable;
  }
  const shown = shorten(path, 120);
  const read = isAbsolute(path) ? ({ ok: false, problem: "outside" } as const) : readFile(path);
  if (!read.ok) {
    const problem = problems[read.problem] ?? `: ${read.problem}`;
    diagnostics.add("TRG07", location, `import ${shown}${problem}`, { hint: "fix the path" });
    return unreadable;
  }
  const skillNames = [skill.id, ...skill.aliases, skill.name];
  return readQuerySet({ file: posix.normalize(path), text: read.text, skillNames }, diagnostics);
}

const problems: Readonly<Record<string, string>> = {
  missing: " not found",
  outside: " is outside the skill folder",
};
