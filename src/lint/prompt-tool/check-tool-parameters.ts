import type { JsonObject } from "../../shared/json/json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { PythonCallable, PythonModule, PythonParameter } from "../../skills/python/python-module.ts";
import type { DeclaredTool, ToolFinding } from "./declared-tools.ts";
import { type SchemaParameters, schemaParameters } from "./schema-parameters.ts";

/** Reports where the parameters that a tool declares and those that its function takes do not fit. */
export function* checkToolParameters(
  tool: DeclaredTool,
  parameters: JsonObject,
  { line, parameters: taken, passesKeywordsOn }: PythonCallable,
  { mentions }: PythonModule,
): Generator<ToolFinding> {
  if (taken === null) return;
  const schema = schemaParameters(parameters);
  const takesAny = taken.some(({ way }) => way === "keyword-rest");
  const finding = (name: string, { code, isInSchema, problem, hint }: Mismatch): ToolFinding => {
    const about = `parameter ${shownText(name)}`;
    return {
      code,
      at: isInSchema
        ? { steps: [...tool.steps, "parameters", "properties", name] }
        : { file: tool.script, line },
      message:
        code === "PTS06" ? `${tool.script}: ${about} ${problem}` : `tool ${tool.name}: ${about} ${problem}`,
      hint,
    };
  };
  for (const parameter of taken) {
    const mismatch = parameterMismatch(parameter, schema, takesAny);
    if (mismatch !== null) yield finding(parameter.name, mismatch);
  }
  const named = new Set(taken.filter(({ way }) => !way.endsWith("rest")).map(({ name }) => name));
  for (const name of schema.declared) {
    if (named.has(name)) continue;
    if (!takesAny) yield finding(name, notAccepted);
    else if (!passesKeywordsOn && !mentions(name)) yield finding(name, neverUsed);
  }
}

/** How a parameter of the one side does not fit the other. */
interface Mismatch {
  code: "PTS03" | "PTS06" | "PTS08";
  /** Whether it is fixed in the manifest, at that property. */
  isInSchema?: true;
  problem: string;
  hint: string;
}

function parameterMismatch(
  { name, way, hasDefault }: PythonParameter,
  { declared, required }: SchemaParameters,
  takesAny: boolean,
): Mismatch | null {
  if (way === "positional-only")
    return hasDefault && (takesAny || !declared.has(name)) ? null : positionalOnly;
  if (way === "positional-rest" || way === "keyword-rest") return null;
  if (!declared.has(name)) return hasDefault ? undeclared : neededAndUndeclared;
  return hasDefault || required.has(name) || injected.has(name) ? null : notRequired;
}

/** Filled in before the call where there is a document, so they need not be required. */
const injected: ReadonlySet<string> = new Set(["doc_text", "context_document_path", "contextDocumentPath"]);

const positionalOnly: Mismatch = {
  code: "PTS03",
  problem: "is positional-only, and tools are called by keyword",
  hint: "move it after the /",
};
const neededAndUndeclared: Mismatch = {
  code: "PTS03",
  problem: "has no default and is not declared",
  hint: "declare it and list it in required, or give it a default",
};
const notRequired: Mismatch = {
  code: "PTS03",
  isInSchema: true,
  problem: "has no default and is not in required",
  hint: "list it in required, or give it a default",
};
const notAccepted: Mismatch = {
  code: "PTS03",
  problem: "is not accepted by the function",
  hint: "accept it, or remove it from the schema",
};
const undeclared: Mismatch = {
  code: "PTS06",
  problem: "is not declared",
  hint: "declare it in parameters, or remove it",
};
const neverUsed: Mismatch = {
  code: "PTS08",
  isInSchema: true,
  problem: "is declared but never used",
  hint: "remove it from the schema",
};
