// An MCP server on stdio, made with the official SDK, whose one tool returns the number it is given.
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const inputSchema = fromJsonSchema({
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
});
const server = new McpServer({ name: "bench", version: "1.0.0" });
server.registerTool("number", { description: "Returns n.", inputSchema }, ({ n }) => ({
  content: [{ type: "text", text: String(n) }],
}));
await server.connect(new StdioServerTransport());
