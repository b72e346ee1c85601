import { shorten, visibleText } from "../../base/visible-text.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { PythonCallable, PythonModule, PythonParameter } from "../python/python-module.ts";
import { schemaParameters } from "./schema-parameters.ts";
import type { DeclaredTool } from "./declared-tools.ts";
import type { ToolFinding } from "./tool-finding.ts";

/** Tells where the parameters that a tool declares and those that its function takes do not fit. */
export function* checkToolParameters(
  tool: DeclaredTool,
  parameters: JsonObject,
  { line, parameters: taken, passesKeywordsOn }: PythonCallable,
  { mentions }: PythonModule,
): Generator<ToolFinding> {
  if (taken === null) return;
  const { declared, required } = schemaParameters(parameters);
  const takesAny = taken.some(({ way }) => way === "keyword-rest");
  const byKeyword = new Map(taken.filter(isByKeyword).map((parameter) => [parameter.name, parameter]));
  const inScript = { at: { file: tool.script, line } };
  const inSchema = (...steps: PropertyKey[]) => ({ at: { steps: [...tool.steps, "parameters", ...steps] } });
  const words = (name: string, problem: string) =>
    `tool ${tool.name}: parameter ${shorten(visibleText(name), 80)} ${problem}`;

  for (const { name, way, hasDefault } of taken)
    if (way === "positional-only" && (!hasDefault || (declared.has(name) && !takesAny)))
      yield {
        code: "PTS03",
        ...inScript,
        message: words(name, "is positional-only, and tools are called by keyword"),
        hint: "move it behind the /",
      };
    else if (isByKeyword({ way }) && !declared.has(name) && !hasDefault)
      yield {
        code: "PTS03",
        ...inScript,
        message: words(name, "has no default and is not declared"),
        hint: "declare it and list it in required, or give it a default",
      };
    else if (isByKeyword({ way }) && !declared.has(name))
      yield {
        code: "PTS06",
        ...inScript,
        message: `${tool.script}: parameter ${name} of ${tool.name} is not declared`,
        hint: "declare it in parameters, or remove it",
      };
    else if (isByKeyword({ way }) && !hasDefault && !required.has(name) && !injected.has(name))
      yield {
        code: "PTS03",
        ...inSchema("properties", name),
        message: words(name, "has no default and is not in required"),
        hint: "list it in required, or give it a default",
      };

  const positional = new Set(taken.filter(({ way }) => way === "positional-only").map(({ name }) => name));
  for (const name of declared)
    if (byKeyword.has(name) || positional.has(name)) continue;
    else if (!takesAny)
      yield {
        code: "PTS03",
        ...inScript,
        message: words(name, "is not accepted by the function"),
        hint: "accept it, or remove it from the schema",
      };
    else if (!passesKeywordsOn && !mentions(name))
      yield {
        code: "PTS08",
        ...inSchema("properties", name),
        message: words(name, "is declared and never used"),
        hint: "remove it from the schema",
      };
}

/** Filled in before the call where there is a document, so they need not be required. */
const injected: ReadonlySet<string> = new Set(["doc_text", "context_document_path", "contextDocumentPath"]);

function isByKeyword({ way }: Pick<PythonParameter, "way">): boolean {
  return way === "either" || way === "keyword-only";
}
