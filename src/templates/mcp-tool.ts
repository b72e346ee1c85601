import { type NewSkill, type SkillFiles, sharedFiles } from "./shared-files.ts";

/** A skill that is a tool of an MCP server, with the server. */
export function mcpToolFiles(skill: NewSkill): SkillFiles {
  return {
    ...sharedFiles(skill, {
      type: "mcp",
      entrypoint: "node server.mjs",
      config: { transport: "stdio", timeoutMs: 30_000 },
      metadata: { toolName: "ask" },
    }),
    "server.mjs": serverProgram,
  };
}

/** The same for every skill: names and descriptions never become code. */
const serverProgram = `// An MCP server on stdin and stdout: one JSON-RPC 2.0 message per line. No dependencies.
// Log to stderr; stdout is for messages.
import { createInterface } from "node:readline";

const versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const tools = [
  {
    name: "ask",
    description: "Answers a query.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string", description: "What to answer" } },
      required: ["query"],
    },
    outputSchema: {
      type: "object",
      properties: { result: { type: "string" } },
      required: ["result"],
    },
    /** Replace this with the logic of your tool. Errors it throws are reported to the caller. */
    run: async ({ query }) => ({ result: "You asked: " + query }),
  },
];

/** A mistake of the caller, reported as a protocol error. */
class RpcError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: versions.includes(protocolVersion) ? protocolVersion : versions[0],
    capabilities: { tools: {} },
    serverInfo: { name: "ask-server", version: "0.1.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: tools.map(({ run, ...described }) => described) }),
  "tools/call": async ({ name, arguments: input = {} }) => {
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined) throw new RpcError(-32602, "unknown tool: " + name);
    for (const key of tool.inputSchema.required) {
      const { type } = tool.inputSchema.properties[key];
      if (typeof input[key] !== type) throw new RpcError(-32602, key + " must be a " + type);
    }
    try {
      const result = await tool.run(input);
      return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
    } catch (error) {
      return { content: [{ type: "text", text: String(error) }], isError: true };
    }
  },
};

async function answer({ id, method, params = {} }) {
  const known = Object.hasOwn(methods, method) ? methods[method] : null;
  try {
    if (known === null) throw new RpcError(-32601, "unknown method: " + method);
    return { jsonrpc: "2.0", id, result: await known(params) };
  } catch (error) {
    return { jsonrpc: "2.0", id, error: { code: error.code ?? -32603, message: error.message } };
  }
}

function send(message) {
  process.stdout.write(JSON.stringify(message) + "\\n");
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  if (line.trim() === "") return;
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "invalid JSON" } });
  }
  const isRequest = message?.jsonrpc === "2.0" && typeof message.method === "string";
  if (!isRequest) return; // a response, or not a valid message
  if (message.id === undefined) return; // a notification gets no response
  send(await answer(message));
});
`;
