import { ProtocolError } from "@modelcontextprotocol/client";
import { shorten } from "../shared/text/visible-text.ts";
import type { LinkFault } from "./mcp-link.ts";

const messageChars = 4096;

/** What the SDK threw, in our words. What is no fault of a server is thrown again. */
export function faultOfError(error: unknown): LinkFault {
  if (error instanceof ProtocolError) {
    const message = `${shorten(error.message, messageChars)} (code ${error.code})`;
    return { status: "failed", cause: "rpc-error", message };
  }
  if (error instanceof TypeError || error instanceof RangeError) throw error; // a mistake of our own
  return badResponse((error as Error).message);
}

/** A server that does not have the tool, with the tools it has. */
export function toolMissing(toolName: string, known: Iterable<string>): LinkFault {
  const names = [...known].sort();
  const list = names.length === 0 ? "it has no tools" : `it has ${names.join(", ")}`;
  const message = shorten(`the server has no tool ${toolName}; ${list}`, 1000);
  return { status: "failed", cause: "tool-missing", message };
}

/** An answer that broke what the tool itself promised. */
export function brokenPromise(problems: readonly string[]): LinkFault {
  return badResponse(`the answer does not match the tool's outputSchema: ${problems.join("; ")}`);
}

function badResponse(message: string): LinkFault {
  return { status: "failed", cause: "bad-response", message: shorten(message, messageChars) };
}
