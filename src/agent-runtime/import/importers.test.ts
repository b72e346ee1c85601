import { readFileSync } from "node:fs";
import { importerContract, type TraceSample } from "./importer.contract.ts";

function fixture(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/traces/${name}`, import.meta.url), "utf8");
}

/** A transcript, and how often a pattern is in it that every call has once. */
function sample(name: string, call: RegExp, companions: readonly string[] = []): TraceSample {
  const others = companions.map((path) => [path, fixture(`session/${path}`)] as const);
  const texts = [fixture(name), ...others.map(([, text]) => text)];
  const calls = texts.flatMap((text) => [...text.matchAll(call)]).length;
  return { name, text: fixture(name), calls, companions: Object.fromEntries(others) };
}

importerContract("claude-code", [
  sample("claude-code.jsonl", /"type": ?"tool_use", ?"id"/g),
  sample("session/claude-session.jsonl", /"type": ?"tool_use", ?"id"/g, ["s1/subagents/agent-a1b2.jsonl"]),
]);
importerContract("openai", [
  sample("openai-chat.json", /"type": "function", "function": \{ "name": "\w+", "arguments/g),
  sample("openai-chat.jsonl", /"type": "function", "function"/g),
  sample("openai-responses.jsonl", /"type":"function_call"/g),
]);
importerContract("otel", [
  sample("otel.json", /"stringValue": "execute_tool"/g),
  sample("otel.jsonl", /"stringValue": "execute_tool"/g),
]);
