import type { Json, JsonSchema } from "../shared/json/json.ts";

/** What holding an answer against its schema gave: what breaks it, or why nobody can say. */
interface CheckedResult {
  problems: string[];
  warnings: string[];
}

export type ResultCheck = (structured: Json | undefined) => CheckedResult;

/** The promise a tool makes about its results in `outputSchema`, ready to be held against them. */
export async function resultCheck(outputSchema: JsonSchema): Promise<ResultCheck> {
  const { compileSchema, ValidationOverran } = await import("../shared/json/json-schema.ts");
  const compiled = compileSchema(withDraft(outputSchema));
  /** Why nobody can say; from then on nobody tries, since checking holds up everything else. */
  let obstacle = compiled.ok ? null : compiled.problem;
  return (structured) => {
    if (structured === undefined) return { problems: ["structuredContent is missing"], warnings: [] };
    if (compiled.ok && obstacle === null) {
      try {
        return { problems: compiled.validate(structured), warnings: [] };
      } catch (error) {
        if (!(error instanceof ValidationOverran)) throw error;
        obstacle = error.message;
      }
    }
    const warning = `the answer could not be checked against the tool's outputSchema: ${obstacle}`;
    return { problems: [], warnings: [warning] };
  };
}

/** In this protocol a schema that does not name its draft is 2020-12. */
function withDraft(schema: JsonSchema): JsonSchema {
  if (typeof schema !== "object" || schema.$schema !== undefined) return schema;
  return { ...schema, $schema: "https://json-schema.org/draft/2020-12/schema" };
}
