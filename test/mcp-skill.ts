import { createRequire } from "node:module";
import { mcpAdapter } from "../src/adapters/mcp.ts";
import { httpRoute } from "../src/adapters/mcp-http-link.ts";
import { processRoute } from "../src/adapters/mcp-process-link.ts";
import type { Adapter } from "../src/contract/outcome.ts";
import { countingSandbox } from "./counting-sandbox.ts";
import { programCommand, programs } from "./programs.ts";

export interface McpSkillOptions {
  tool?: string;
  /** A file in which the program records what it did. */
  file?: string;
  maxOutputBytes?: number;
  variables?: Record<string, string>;
}

/** The scripted MCP server with one fault, behind the adapter, in a counting sandbox. */
export async function openMcpSkill(
  behaviour: string,
  { tool = "echo", file = "", maxOutputBytes = 5_242_880, variables = {} }: McpSkillOptions = {},
): Promise<Adapter & { sandbox: ReturnType<typeof countingSandbox> }> {
  const sandbox = countingSandbox();
  const argv = await programCommand("mcp-server.mjs", behaviour, file);
  const route = processRoute(sandbox, { argv, cwd: programs, env: variables }, maxOutputBytes);
  const adapter = mcpAdapter({ route, toolName: tool, version: "0.0.0" });
  return {
    call: adapter.call,
    sandbox,
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

export interface RemoteOptions {
  tool?: string;
  transport?: "http" | "sse" | null;
  headers?: Record<string, string>;
  maxOutputBytes?: number;
}

/** A tool of a server behind this URL. */
export function openRemoteMcpSkill(
  url: string,
  { tool = "echo", transport = null, headers = {}, maxOutputBytes = 5_242_880 }: RemoteOptions = {},
): Adapter {
  const route = httpRoute({ url: new URL(url), headers, transport, maxOutputBytes });
  return mcpAdapter({ route, toolName: tool, version: "0.0.0" });
}

/** The program of one of the reference servers that are installed for the tests. */
export function referenceServer(name: "everything" | "filesystem" | "memory"): string {
  return referenceServers[name];
}

const require = createRequire(import.meta.url);
const referenceServers = {
  everything: require.resolve("@modelcontextprotocol/server-everything/dist/index.js"),
  filesystem: require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"),
  memory: require.resolve("@modelcontextprotocol/server-memory/dist/index.js"),
};
