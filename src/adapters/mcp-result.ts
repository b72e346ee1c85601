import type { Usage } from "../contract/outcome.ts";
import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { isNestedDeeper, readUsage } from "./answers.ts";
import type { LinkFault } from "./mcp-link.ts";

/** What `tools/call` gave back, as far as we rely on it. */
export interface ToolResult {
  content: readonly ContentBlock[];
  structuredContent?: Json;
  isError: boolean;
  usage: unknown;
}

type ContentBlock = JsonObject & { type: string };

type ReadResult =
  | { kind: "answer"; output: Json; usage: Usage | undefined; warnings: string[] }
  | { kind: "fault"; fault: LinkFault };

/** The shape of a result, checked by hand: the SDK's own schema copies the answer and loses a key named `__proto__`. */
export const toolResult: ResultSchema = {
  "~standard": {
    version: 1,
    vendor: "eval-skills",
    validate(value) {
      const read = readShape(value);
      return typeof read === "string" ? { issues: [{ message: read }] } : { value: read };
    },
  },
};

/** What the SDK takes for a schema of results: the interface of standardschema.dev. */
interface ResultSchema {
  "~standard": {
    version: 1;
    vendor: string;
    validate(value: unknown): { value: ToolResult } | { issues: { message: string }[] };
    types?: { input: unknown; output: ToolResult };
  };
}

/** The answer in a result: structured content, else text (as JSON where it is JSON), else the blocks as they are. */
export function readToolResult(result: ToolResult): ReadResult {
  const { content, structuredContent } = result;
  const texts = content.flatMap(({ type, text }) => (type === "text" ? [text as string] : []));
  if (result.isError) return { kind: "fault", fault: toolError(texts.join("\n")) };
  if (isNestedDeeper(structuredContent ?? content)) {
    const message = "the answer is nested too deeply to be stored";
    return { kind: "fault", fault: { status: "failed", cause: "bad-response", message } };
  }
  const { usage, warnings } = readUsage(result.usage);
  if (structuredContent !== undefined) return { kind: "answer", output: structuredContent, usage, warnings };
  if (texts.length < content.length)
    return { kind: "answer", output: { content: [...content] }, usage, warnings };
  return { kind: "answer", output: readText(texts.join("\n")), usage, warnings };
}

function readShape(value: unknown): ToolResult | string {
  if (!isMap(value)) return "the result is not an object";
  const { content = [], structuredContent, isError = false, _meta } = value;
  if (!Array.isArray(content)) return "content is not a list";
  for (const block of content) {
    if (!isMap(block) || typeof block.type !== "string") return "a block of content has no type";
    if (block.type === "text" && typeof block.text !== "string") return "a text block has no text";
  }
  if (typeof isError !== "boolean") return "isError is neither true nor false";
  if (value.content === undefined && structuredContent === undefined)
    return "there is neither content nor structuredContent";
  return {
    content: content as ContentBlock[],
    ...(structuredContent !== undefined && { structuredContent: structuredContent as Json }),
    isError,
    usage: isMap(_meta) ? _meta.usage : undefined,
  };
}

const messageChars = 4096;

function toolError(text: string): LinkFault {
  const message = text.trim() === "" ? "the tool reports an error without a message" : text;
  return { status: "failed", cause: "tool-error", message: shorten(message, messageChars) };
}

function readText(text: string): Json {
  const parsed = parseStrictJson(text);
  return parsed.ok ? (parsed.value as Json) : text;
}

/** The result of validating an answer: what violates the schema, or why that cannot be determined. */
interface CheckedResult {
  problems: string[];
  warnings: string[];
}

export type ResultCheck = (structured: Json | undefined) => CheckedResult;

/** The `outputSchema` of a tool, compiled to validate its results. */
export async function resultCheck(outputSchema: JsonSchema): Promise<ResultCheck> {
  const { compileSchema, ValidationOverran } = await import("../shared/json/json-schema.ts");
  const compiled = compileSchema(withDraft(outputSchema));
  /** Why validation failed; it is not tried again, since it blocks everything else. */
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
