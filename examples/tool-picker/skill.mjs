// A skill that picks tools: JSON-RPC 2.0 on stdin and stdout, one line per message.
// It answers one request and ends when stdin is closed (per-call), or answers many (persistent).
import { createInterface } from "node:readline";
import { pickTool } from "./pick-tool.mjs";

for await (const line of createInterface({ input: process.stdin }))
  if (line.trim() !== "") process.stdout.write(`${JSON.stringify(answer(line))}\n`);

/** Turns one request line into one response. Never throws. */
function answer(line) {
  let id = null;
  try {
    const request = JSON.parse(line);
    id = request?.id ?? null;
    if (request?.method !== "invoke") return failure(id, -32601, `unknown method ${request?.method}`);
    return { jsonrpc: "2.0", id, result: invoke(request.params ?? {}) };
  } catch (error) {
    return failure(id, error instanceof SyntaxError ? -32700 : -32000, error.message);
  }
}

function failure(id, code, message) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

function invoke({ instruction, tools_available: tools }) {
  if (typeof instruction !== "string" || instruction.length > 2000)
    throw new Error("instruction must be a text of at most 2000 characters");
  if (!Array.isArray(tools) || tools.some((tool) => typeof tool?.name !== "string"))
    throw new Error("tools_available must be a list of tools with names");
  return pickTool(instruction, tools);
}
