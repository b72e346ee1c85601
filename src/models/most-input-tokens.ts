import type { ModelRequest } from "../contract/model.ts";

/** More tokens than any provider counts for a question: none makes two of one byte. Marks between messages, and words of its own about a schema, come on top. */
export function maxInputTokens({ messages, schema }: ModelRequest): number {
  let tokens = frameTokens;
  for (const { text } of messages) tokens += messageTokens + Buffer.byteLength(text);
  if (schema !== undefined) tokens += schemaTokens + Buffer.byteLength(JSON.stringify(schema));
  return tokens;
}

const frameTokens = 16;
const messageTokens = 16;
const schemaTokens = 512;
