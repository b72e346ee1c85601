import type { Usage } from "../contract/outcome.ts";
import { isMap } from "../shared/json/is-map.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { isNestedDeeper } from "./is-nested-deeper.ts";
import type { LinkFault } from "./mcp-link.ts";
import { readUsage } from "./usage.ts";

/** What `tools/call` gave back, as far as we rely on it. */
export interface ToolResult {
  content: readonly ContentBlock[];
  structuredContent?: Json;
  isError: boolean;
  usage: unknown;
}

type ContentBlock = JsonObject & { type: string };

export type ReadResult =
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
