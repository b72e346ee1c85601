import { readFileSync } from "node:fs";
import { importerContract } from "./importer.contract.ts";

function fixture(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/traces/${name}`, import.meta.url), "utf8");
}

/** How often a pattern is in a text. */
function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

const toolUse = /"type": ?"tool_use"/g;

importerContract("claude-code", [
  {
    name: "a stream",
    text: fixture("claude-code.jsonl"),
    calls: count(fixture("claude-code.jsonl"), toolUse),
  },
]);

importerContract("openai", [
  {
    name: "chat",
    text: fixture("openai-chat.json"),
    calls: count(
      fixture("openai-chat.json"),
      /"type": "function", "function": \{ "name": "\w+", "arguments/g,
    ),
  },
  {
    name: "responses",
    text: fixture("openai-responses.jsonl"),
    calls: count(fixture("openai-responses.jsonl"), /"type":"function_call"/g),
  },
]);

importerContract("otel", [
  {
    name: "spans",
    text: fixture("otel.json"),
    calls: count(fixture("otel.json"), /"stringValue": "execute_tool"/g),
  },
]);
