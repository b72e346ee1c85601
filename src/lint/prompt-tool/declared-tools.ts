import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import type { Diagnostic, DiagnosticSeverity } from "../../contract/findings.ts";
import type { SkillTool } from "../../contract/skill.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";

/** A tool as the manifest declares it. */
export interface DeclaredTool {
  name: string;
  description: string;
  /** Null where it has none, or none that is a schema of an object. */
  parameters: JsonObject | null;
  /** Whether it says nothing about its parameters at all. */
  hasNoSchema: boolean;
  script: string;
  /** Its path in the manifest. */
  steps: readonly PropertyKey[];
  /** Declared by its name alone. */
  isBare: boolean;
}

/** The tools of a skill with the locations of their declarations, which may be mixed with invalid entries. */
export function declaredTools(
  tools: readonly SkillTool[],
  manifest: unknown,
  found: readonly Diagnostic[],
): DeclaredTool[] {
  const written = isMap(manifest) && Array.isArray(manifest.tools) ? manifest.tools : [];
  const faulty = found.flatMap(({ code, jsonPath }) => (code === "AHM07" ? [jsonPath ?? ""] : []));
  let next = 0;
  return tools.map(({ name, description, parameters, script }) => {
    const index = written.findIndex((entry, at) => at >= next && nameIn(entry) === name);
    if (index !== -1) next = index + 1;
    const isFaulty = faulty.some((path) => path.startsWith(`$.tools[${index}].parameters`));
    return {
      name,
      description,
      parameters: isMap(parameters) && !isFaulty ? parameters : null,
      hasNoSchema: parameters === null,
      script,
      // Items of a list that is written as text have no location of their own.
      steps: index === -1 ? ["tools"] : ["tools", index],
      isBare: !isMap(written[index]),
    };
  });
}

function nameIn(entry: unknown): unknown {
  return isMap(entry) ? entry.name : entry;
}

/** What is wrong with a tool, and where: in the manifest, or in a script. */
export interface ToolFinding {
  code: DiagnosticCode;
  at: { steps: readonly PropertyKey[] } | { file: string; line?: number };
  message: string;
  hint?: string;
  severity?: DiagnosticSeverity;
}
