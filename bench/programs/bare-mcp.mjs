// The bare loop beside `eval` over MCP: the SDK's own client and transport, one call after the other in each lane.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [program, count, lanes] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
let next = 0;
async function lane() {
  const client = new Client({ name: "bare", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program] }));
  await client.listTools();
  while (next < count) {
    const n = next++;
    const { content } = await client.callTool({ name: "number", arguments: { n } });
    if (JSON.parse(content[0].text) !== n) throw new Error("wrong answer");
  }
  await client.close();
}
await Promise.all(Array.from({ length: lanes }, lane));
