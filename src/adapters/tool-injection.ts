import type { InjectedArgument, OpenDocument } from "../contract/tool-host.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { Json, JsonSchema } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";

interface GivenArguments {
  arguments: Json;
  injected: InjectedArgument[];
  findings: string[];
  /** The file that the tool must be able to read, where it was told of one. */
  reads: string | null;
}

const pathNames = ["context_document_path", "contextDocumentPath"];

/** Fills in what a tool declares about the open document and nobody sent. What a model sends itself wins. */
export function injectDocument(
  parameters: JsonSchema | null,
  said: Json,
  document: OpenDocument | null,
): GivenArguments {
  const given: GivenArguments = { arguments: said, injected: [], findings: [], reads: null };
  const declared = isMap(parameters) && isMap(parameters.properties) ? parameters.properties : {};
  if (document === null || !isMap(said)) return given;
  const filled = { ...said };
  const fill = (name: string, value: string) => {
    filled[name] = value;
    given.injected.push({ name, chars: value.length, sha256: sha256(value) });
  };
  if (Object.hasOwn(declared, "doc_text")) {
    if (isBlank(said, "doc_text")) fill("doc_text", document.text);
    else given.findings.push("doc-text-sent: doc_text is filled in automatically; sending it wastes tokens");
  }
  for (const name of pathNames) {
    if (document.path === null || !Object.hasOwn(declared, name) || !isBlank(said, name)) continue;
    // In the sandbox a file that a process is to read keeps its path.
    fill(name, document.path);
    given.reads = document.path;
  }
  return { ...given, arguments: filled };
}

function isBlank(said: Readonly<Record<string, Json>>, name: string): boolean {
  const value = Object.hasOwn(said, name) ? said[name] : null;
  return value === null || (typeof value === "string" && value.trim() === "");
}
