import type { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { jsonPointer } from "../../shared/json/json-path.ts";
import { isPlainSchema } from "../../shared/json/plain-schema.ts";
import { schemaFault } from "../../shared/json/schema-fault.ts";
import { countValues } from "../../shared/text/count-values.ts";
import type { JsonFile } from "../folder/json-file.ts";

/** Reports which `parameters` of a tool are no JSON Schema of an object. */
export async function checkParameters(
  tools: unknown,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): Promise<void> {
  let parts = 0;
  let faults = 0;
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (!isMap(tool) || !Object.hasOwn(tool, "parameters")) continue;
    if (faults === maxFaults) {
      const place = manifest.placeOf(["tools", index, "parameters"]);
      diagnostics.add("AHM07", place, `tools[${index}].parameters: not checked, nor any after it`);
      return;
    }
    parts += countParts(tool.parameters);
    const fault =
      parts > maxParts ? { steps: [], reason: "too large to check" } : await faultOf(tool.parameters);
    if (fault === null) continue;
    faults++;
    const place = manifest.placeOf(["tools", index, "parameters", ...fault.steps]);
    diagnostics.add("AHM07", place, `tools[${index}].parameters${jsonPointer(fault.steps)}: ${fault.reason}`);
  }
}

/** Of all tools together: compiling takes a millisecond for every few values of a schema, and with many of them more. */
const maxParts = 5000;
/** Whoever has this many has to begin somewhere, and finding the place of each takes time. */
const maxFaults = 50;

/** How many values a schema is made of; none where it is so plain that it need not be compiled. */
function countParts(schema: unknown): number {
  return isPlainSchema(schema) ? 0 : countValues(schema, maxParts);
}

const latestDraft = "https://json-schema.org/draft/2020-12/schema";

async function faultOf(schema: unknown): Promise<{ steps: readonly PropertyKey[]; reason: string } | null> {
  if (!isMap(schema)) return { steps: [], reason: "expected a schema of type object" };
  const fault = await schemaFault(
    Object.hasOwn(schema, "$schema") ? schema : { $schema: latestDraft, ...schema },
  );
  if (fault !== null || schema.type === "object") return fault;
  return schema.type === undefined
    ? { steps: [], reason: 'the type is missing; it must be "object"' }
    : { steps: ["type"], reason: 'must be "object"' };
}
