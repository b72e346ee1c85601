import type { Diagnostics } from "../../contract/diagnostics.ts";
import { jsonPointer } from "../../shared/json/json-path.ts";
import { schemaFault } from "../../shared/json/schema-fault.ts";
import type { JsonFile } from "../folder/json-file.ts";

/** Reports which schema of a manifest does not compile, and whether all do. */
export async function checkSchemas(manifest: JsonFile, diagnostics: Diagnostics): Promise<boolean> {
  const fields = manifest.value as Record<string, unknown>;
  let isFine = true;
  for (const field of ["inputSchema", "outputSchema"]) {
    const fault = Object.hasOwn(fields, field) ? await schemaFault(fields[field]) : null;
    if (fault === null) continue;
    isFine = false;
    diagnostics.add(
      "SKU05",
      manifest.placeOf([field, ...fault.steps]),
      `${field}${jsonPointer(fault.steps)}: ${fault.reason}`,
    );
  }
  return isFine;
}
