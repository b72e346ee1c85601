import type { InjectedArgument, OpenDocument } from "../contract/tool-host.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import type { Json, JsonSchema } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";

interface GivenArguments {
  arguments: Json;
  injected: InjectedArgument[];
  findings: string[];
  /** The file that the tool must be able to read, if its path was injected. */
  reads: string | null;
}

const pathNames = ["context_document_path", "contextDocumentPath"];

/** Fills in declared arguments about the open document that were not sent. Arguments from a model win. */
export function injectDocument(
  parameters: JsonSchema | null,
  sent: Json,
  document: OpenDocument | null,
): GivenArguments {
  const given: GivenArguments = { arguments: sent, injected: [], findings: [], reads: null };
  const declared = isMap(parameters) && isMap(parameters.properties) ? parameters.properties : {};
  if (document === null || !isMap(sent)) return given;
  const filled = { ...sent };
  const fill = (name: string, value: string) => {
    filled[name] = value;
    given.injected.push({ name, chars: value.length, sha256: sha256(value) });
  };
  if (Object.hasOwn(declared, "doc_text")) {
    if (isBlank(sent, "doc_text")) fill("doc_text", document.text);
    else given.findings.push("doc-text-sent: doc_text is filled in automatically; sending it wastes tokens");
  }
  for (const name of pathNames) {
    if (document.path === null || !Object.hasOwn(declared, name) || !isBlank(sent, name)) continue;
    // In the sandbox a file that a process is to read keeps its path.
    fill(name, document.path);
    given.reads = document.path;
  }
  return { ...given, arguments: filled };
}

function isBlank(sent: Readonly<Record<string, Json>>, name: string): boolean {
  const value = Object.hasOwn(sent, name) ? sent[name] : null;
  return value === null || (typeof value === "string" && value.trim() === "");
}
