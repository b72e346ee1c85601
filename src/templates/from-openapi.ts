import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import { compileSchema } from "../shared/json/json-schema.ts";
import { OpenapiDocument } from "./openapi-document.ts";
import { chooseOperation, type Operation } from "./openapi-operations.ts";
import { type Direction, plainSchema } from "./openapi-schema.ts";
import { exampleValue } from "./sample-value.ts";
import { type NewSkill, type SkillFiles, sharedFiles } from "./shared-files.ts";

export interface OpenapiSource {
  /** The parsed file. */
  content: Json;
  /** The file as the user named it, for errors. */
  path: string;
  /** The same file as seen from the skill's folder. */
  specPath: string;
  operation: string | undefined;
  /** Whether the description of the skill was typed; else the file describes it. */
  isDescribed: boolean;
}

/** A skill that calls one operation of an HTTP interface described by an OpenAPI file. */
export function openapiFiles(skill: NewSkill, source: OpenapiSource): SkillFiles {
  const document = new OpenapiDocument(source.content, source.path);
  const operation = chooseOperation(document, source.operation);
  const inputSchema = usableSchema(document, operation, operation.body.schema, "request");
  const outputSchema = usableSchema(document, operation, operation.answer, "answer");
  const description = source.isDescribed ? skill.description : (describe(operation) ?? skill.description);
  return sharedFiles(
    { ...skill, description },
    {
      type: "http",
      entrypoint: operation.url.href,
      config: { baseUrl: operation.url.origin, authType: "none", bodyMode: "input", timeoutMs: 15_000 },
      metadata: {
        openapi: { specPath: source.specPath, operationId: operation.id, method: operation.method },
      },
      inputSchema,
      outputSchema,
      starter: {
        description: `${operation.id} returns its response shape`,
        inputData: exampleBody(document, operation) ?? exampleValue(inputSchema),
        expectedOutput: { type: "json_schema", schema: demanding(outputSchema) },
        evaluator: { type: "json_schema" },
      },
    },
  );
}

const longestDescription = 1024;

/** The first description of the operation, fit for a manifest. */
function describe({ about }: Operation): string | undefined {
  return about
    .map((text) => text.replace(/\p{Cs}|[^\P{Cc}\n\t]/gu, "").trim())
    .map((text) => [...text].slice(0, longestDescription).join(""))
    .find((text) => text !== "");
}

function usableSchema(
  document: OpenapiDocument,
  { id, jsonPath }: Operation,
  schema: Json | undefined,
  direction: Direction,
): JsonSchema {
  const plain = schema === undefined ? {} : plainSchema(document, schema, direction);
  const compiled = compileSchema(plain);
  if (compiled.ok) return plain;
  const what = direction === "request" ? "body" : "answer";
  throw document.refusal(
    `has a schema for the ${what} of ${id} that does not compile: ${compiled.problem}`,
    jsonPath,
  );
}

/** The example its author gave for the whole body, where there is one. */
function exampleBody(document: OpenapiDocument, { body }: Operation): Json | undefined {
  if (body.example !== undefined) return body.example;
  const [first] = Object.values(document.follow(body.examples) ?? {});
  return document.follow(first)?.value;
}

const describing = new Set(["$schema", "title", "description", "default", "examples", "deprecated"]);

/** A test that any answer passes is none: where nothing was promised, an object is expected, to be made stricter. */
function demanding(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return { type: "object" };
  const isOpen = Object.keys(schema as JsonObject).every((keyword) => describing.has(keyword));
  return isOpen ? { type: "object" } : schema;
}
