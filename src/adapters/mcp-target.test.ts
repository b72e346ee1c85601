import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countingSandbox } from "../../test/counting-sandbox.ts";
import { httpServer, readBody } from "../../test/local-server.ts";
import { within } from "../../test/open-skill.ts";
import { programs } from "../../test/programs.ts";
import { McpConfig, type UnitSkill } from "../contract/unit-skill.ts";
import { openAdapter } from "./open-adapter.ts";

interface SkillFacts {
  entrypoint?: string;
  config?: Record<string, unknown>;
  metadata?: UnitSkill["metadata"];
  env?: NodeJS.ProcessEnv;
}

/** Opens the adapter of an MCP skill as a run does, without calling it. */
async function open({
  entrypoint = "node mcp-server.mjs",
  config = {},
  metadata = {},
  env = process.env,
}: SkillFacts) {
  const sandbox = countingSandbox();
  const skill: UnitSkill = {
    id: "echo",
    name: "Echo",
    version: "1.0.0",
    description: "",
    tags: [],
    dir: programs,
    manifest: join(programs, "skill.json"),
    adapter: { type: "mcp", entrypoint, config: McpConfig.parse({ type: "mcp", ...config }) },
    inputSchema: {},
    outputSchema: {},
    metadata,
    digest: "sha256:0",
  };
  const context = {
    sandbox,
    env,
    envKeys: [],
    maxOutputBytes: 1_000_000,
    concurrency: 1,
    version: "1.2.3",
  };
  const adapter = await openAdapter(skill, context);
  return {
    call: adapter.call,
    sandbox,
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

describe("a server that is a command", () => {
  test("is started in the skill's folder; the tool is the one named like the skill", async () => {
    await using skill = await open({});

    expect(await skill.call({ a: 1 }, within(20_000))).toMatchObject({
      status: "answered",
      output: { a: 1 },
    });
    expect(skill.sandbox.commands[0]).toMatchObject({ cwd: programs });
  });

  test("command and args take the place of the entrypoint, metadata.toolName names the tool", async () => {
    const config = { command: "node", args: ["mcp-server.mjs", "pages"], transport: "stdio" };
    await using skill = await open({ entrypoint: "no-such-program", config, metadata: { toolName: "tell" } });

    const outcome = await skill.call({ result: { content: [] } }, within(20_000));

    expect(outcome.status).toBe("answered");
  });

  test("env and envKeys reach it", async () => {
    const config = { env: { GREETING: "hi" }, envKeys: ["MY_KEY"] };
    const env = { ...process.env, MY_KEY: "k", OTHER: "o" };
    await using skill = await open({ entrypoint: "node mcp-server.mjs tells-environment", config, env });

    const { output } = (await skill.call({}, within(20_000))) as { output?: object };

    expect(output).toMatchObject({ GREETING: "hi", MY_KEY: "k" });
    expect(output).not.toHaveProperty("OTHER");
  });
});

test("a server behind a URL gets the token of the configured variable, and nothing is started here", async () => {
  const received: (string | undefined)[] = [];
  await using server = await httpServer(async (request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(await readBody(request));
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "remote", version: "1" },
      },
      "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "let in" }] },
    };
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
  });
  const config = { baseUrl: `${server.url}/base`, authType: "bearer", authTokenEnvKey: "MY_TOKEN" };
  await using skill = await open({
    entrypoint: "/mcp",
    config,
    env: { ...process.env, MY_TOKEN: "sesame-4711" },
  });

  const outcome = await skill.call({}, within(20_000));

  expect(outcome).toMatchObject({ status: "answered", output: "let in" });
  expect(received[0]).toBe("POST /base/mcp Bearer sesame-4711");
  expect(skill.sandbox.commands).toHaveLength(0);
});

describe("what is refused before anything is called", () => {
  const refused: [string, SkillFacts, object][] = [
    [
      "an mcp:// address",
      { entrypoint: "mcp://weather" },
      { jsonPath: "$.entrypoint", hint: expect.stringContaining("http(s) URL") },
    ],
    [
      "a program that is not there",
      { entrypoint: "no-such-program-at-all" },
      { jsonPath: "$.entrypoint", message: expect.stringContaining("no-such-program-at-all") },
    ],
    [
      "a URL over stdio",
      { entrypoint: "http://127.0.0.1:9/mcp", metadata: { transport: "stdio" } },
      { jsonPath: "$.entrypoint" },
    ],
    ["a command over HTTP", { config: { command: "node", transport: "http" } }, { jsonPath: "$.command" }],
    [
      "a command line as the address of a remote server",
      { config: { transport: "sse" } },
      { jsonPath: "$.entrypoint" },
    ],
    [
      "credentials for a program",
      { config: { authType: "bearer", authTokenEnvKey: "X" } },
      { jsonPath: "$.authType" },
    ],
    [
      "an address for a program",
      { config: { command: "node", baseUrl: "http://127.0.0.1:9" } },
      { jsonPath: "$.baseUrl" },
    ],
    [
      "a user name in the URL",
      { entrypoint: "http://me:secret@127.0.0.1:9/mcp" },
      { jsonPath: "$.entrypoint" },
    ],
  ];
  for (const [what, facts, error] of refused) {
    test(what, async () => {
      await expect(open(facts)).rejects.toMatchObject({ code: "adapter-invalid", ...error });
    });
  }

  test("a token variable that is not set", async () => {
    const config = { authType: "bearer", authTokenEnvKey: "NO_SUCH_TOKEN" };

    await expect(open({ entrypoint: "http://127.0.0.1:9/mcp", config })).rejects.toMatchObject({
      code: "secret-missing",
      message: expect.stringContaining("NO_SUCH_TOKEN"),
    });
  });
});
