import type { Json, JsonSchema } from "../contract/json.ts";

/** What holding an answer against its schema gave: what breaks it, or why nobody can say. */
interface CheckedOutput {
  problems: string[];
  warnings: string[];
}

export type OutputCheck = (output: Json | undefined) => CheckedOutput;

/** The promise a tool makes about its answers in `outputSchema`, ready to be held against them. */
export async function outputCheck(outputSchema: JsonSchema): Promise<OutputCheck> {
  const { compileSchema, ValidationOverran } = await import("../base/json-schema.ts");
  const compiled = compileSchema(withDraft(outputSchema));
  const unknown = (why: string): CheckedOutput => ({
    problems: [],
    warnings: [`the answer could not be held against the tool's outputSchema: ${why}`],
  });
  return (output) => {
    if (output === undefined) return { problems: ["structuredContent is missing"], warnings: [] };
    if (!compiled.ok) return unknown(compiled.problem);
    try {
      return { problems: compiled.validate(output), warnings: [] };
    } catch (error) {
      if (error instanceof ValidationOverran) return unknown(error.message);
      throw error;
    }
  };
}

/** In this protocol a schema that does not name its draft is 2020-12. */
function withDraft(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object" || schema.$schema !== undefined) return schema;
  return { ...schema, $schema: "https://json-schema.org/draft/2020-12/schema" };
}
