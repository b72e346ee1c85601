import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { httpServer, type LocalServer, readBody } from "../../test/local-server.ts";
import { openRemoteMcpSkill, type RemoteOptions } from "../../test/mcp-skill.ts";
import { within } from "../../test/open-skill.ts";
import type { Adapter } from "../contract/outcome.ts";
import { adapterContract } from "./adapter.contract.ts";

interface Rpc {
  id?: number;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: the scripted server looks into messages of every shape
  params: any;
}
type Call = (message: Rpc, response: ServerResponse, request: IncomingMessage) => void;

interface ScriptedServer extends LocalServer {
  /** Every message that was POSTed, with the headers that came along. */
  received: { rpc: Rpc; headers: IncomingMessage["headers"] }[];
}

const tools = [{ name: "echo", inputSchema: { type: "object" } }];

function json(response: ServerResponse, id: number | undefined, result: unknown, headers = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

/** A server over Streamable HTTP that leaves `tools/call` to the test; a test may take over any other method as well. */
async function streamableServer(call: Call, others: Record<string, Call> = {}): Promise<ScriptedServer> {
  const received: ScriptedServer["received"] = [];
  const methods: Record<string, Call> = {
    initialize: ({ id, params }, response) =>
      json(
        response,
        id,
        {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "scripted", version: "1" },
        },
        { "mcp-session-id": `session-${received.length}` },
      ),
    "tools/list": ({ id }, response) => json(response, id, { tools }),
    "tools/call": call,
    ...others,
  };
  const server = await httpServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const rpc = JSON.parse(await readBody(request)) as Rpc;
    received.push({ rpc, headers: request.headers });
    const answer = methods[rpc.method];
    if (answer === undefined) response.writeHead(202).end();
    else answer(rpc, response, request);
  });
  return Object.assign(server, { received });
}

const echo: Call = ({ id, params }, response) =>
  json(response, id, { content: [], structuredContent: params.arguments });

/** A server of the old kind: one stream of events, and a place to POST to. */
async function sseServer(call: Call): Promise<LocalServer & { streams: number }> {
  let stream: ServerResponse | null = null;
  const counted = { streams: 0 };
  const send = (message: object) =>
    stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
  const server = await httpServer(async (request, response) => {
    if (request.method === "GET") {
      counted.streams++;
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    if (request.url !== "/messages") return void response.writeHead(405).end("only GET here");
    const rpc = JSON.parse(await readBody(request)) as Rpc;
    response.writeHead(202).end();
    const { id, params } = rpc;
    if (rpc.method === "initialize")
      send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "old", version: "1" },
        },
      });
    else if (rpc.method === "tools/list") send({ id, result: { tools } });
    else if (rpc.method === "tools/call" && stream !== null) call(rpc, stream, request);
  });
  return Object.defineProperty(Object.assign(server, counted), "streams", { get: () => counted.streams });
}

const sseEcho: Call = ({ id, params }, stream) =>
  void stream.write(
    `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [], structuredContent: params.arguments } })}\n\n`,
  );

const servers: LocalServer[] = [];

/** The adapter and its server, ended together. */
async function together(server: Promise<LocalServer>, options: RemoteOptions = {}): Promise<Adapter> {
  const running = await server;
  servers.push(running);
  const adapter = openRemoteMcpSkill(running.url, options);
  return {
    call: adapter.call,
    async [Symbol.asyncDispose]() {
      await adapter[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
    },
  };
}

const leftovers = () => servers.reduce((sum, { connections }) => sum + connections.open, 0);
const onlyObjects = "arguments of an MCP tool are an object";

adapterContract("mcp, Streamable HTTP", {
  echo: () => together(streamableServer(echo)),
  broken: () => together(streamableServer((_, __, request) => void request.socket.destroy())),
  slow: () => together(streamableServer(() => {})),
  leftovers,
  onlyObjects,
});

describe("over Streamable HTTP", () => {
  test("an answer may come as a stream of events", async () => {
    await using server = await streamableServer(({ id }, response) => {
      const message = { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "streamed" }] } };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    });
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "answered", output: "streamed" });
  });

  test("what lets us in is sent with every message", async () => {
    await using server = await streamableServer(echo);
    await using skill = openRemoteMcpSkill(server.url, { headers: { authorization: "Bearer open sesame" } });

    await skill.call({}, within(20_000));

    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(
      server.received.map(() => "Bearer open sesame"),
    );
  });

  test("a call that passes its deadline is cancelled at the server, and the next one gets a new session", async () => {
    await using server = await streamableServer((message, response, request) => {
      if (message.params.arguments.hang !== true) echo(message, response, request);
    });
    await using skill = openRemoteMcpSkill(server.url);
    await skill.call({}, within(20_000));

    const outcome = await skill.call({ hang: true }, within(300));
    const next = await skill.call({}, within(20_000));

    expect(outcome).toMatchObject({ status: "timed-out", latencyMs: 300 });
    expect(next.status).toBe("answered");
    const methods = server.received.map(({ rpc }) => rpc.method);
    expect(methods).toContain("notifications/cancelled");
    expect(methods.filter((method) => method === "initialize")).toHaveLength(2);
  });

  test("a session that the server forgot is opened anew, without a word", async () => {
    let isForgotten = false;
    await using server = await streamableServer((message, response, request) => {
      if (isForgotten && request.headers["mcp-session-id"] === "session-1")
        return void response.writeHead(404).end("no such session");
      echo(message, response, request);
    });
    await using skill = openRemoteMcpSkill(server.url);
    await skill.call({ n: 1 }, within(20_000));
    isForgotten = true;

    expect(await skill.call({ n: 2 }, within(20_000))).toMatchObject({
      status: "answered",
      output: { n: 2 },
    });
  });

  const refusals: [number, object][] = [
    [401, { isFinal: true, message: "HTTP 401: who are you?" }],
    [500, { isFinal: false, message: "HTTP 500: who are you?" }],
    [429, { isFinal: false, retryAfterMs: 7000 }],
  ];
  for (const [status, expected] of refusals) {
    test(`HTTP ${status} is reported as such, with what the server says`, async () => {
      await using server = await streamableServer((_, response) => {
        response.writeHead(status, { "retry-after": "7" }).end("who are you?");
      });
      await using skill = openRemoteMcpSkill(server.url);

      const outcome = await skill.call({}, within(20_000));

      expect(outcome).toMatchObject({ status: "failed", cause: "http-status", ...expected });
    });
  }

  test("a redirect is refused, and nothing reaches the other place", async () => {
    await using other = await streamableServer(echo);
    await using server = await streamableServer((_, response) => {
      response.writeHead(307, { location: `${other.url}/` }).end();
    });
    await using skill = openRemoteMcpSkill(server.url, { headers: { authorization: "Bearer x" } });

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "redirect-refused",
    });
    expect(other.requests).toBe(0);
  });

  test("a redirect within the same place is refused as well", async () => {
    await using server = await streamableServer((_, response) => {
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "redirect-refused",
    });
  });

  test("nobody there is a connection failure that says so", async () => {
    const server = await streamableServer(echo);
    await server[Symbol.asyncDispose]();
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "connection",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("a body that grows when unpacked ends at the cap", async () => {
    await using server = await streamableServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.alloc(20_000_000, "x")));
    });
    await using skill = openRemoteMcpSkill(server.url, { maxOutputBytes: 100_000 });

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "output-limit" });
  });

  test("a stream that floods notifications ends at the cap", async () => {
    await using server = await streamableServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const params = { level: "info", data: 1 };
      const notification = { jsonrpc: "2.0", method: "notifications/message", params };
      const flood = () => {
        if (!response.destroyed)
          response.write(
            `data: ${JSON.stringify(notification)}\n\n`.repeat(50),
            () => void setImmediate(flood),
          );
      };
      flood();
    });
    await using skill = openRemoteMcpSkill(server.url, { maxOutputBytes: 100_000 });

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "output-limit" });
  });

  test("a stream that ends without an answer is a connection failure, well before the deadline", async () => {
    await using server = await streamableServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
    });
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(25_000))).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a stream that breaks off without an answer is a connection failure, well before the deadline", async () => {
    await using server = await streamableServer((_, response, request) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": soon\n\n", () => request.socket.destroy());
    });
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(25_000))).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a stream that ended after its answer says nothing about the next request, however long that takes", async () => {
    const streamed = (response: ServerResponse, id: number | undefined, result: object) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    };
    await using server = await streamableServer(
      ({ id }, response) => streamed(response, id, { content: [{ type: "text", text: "at last" }] }),
      {
        initialize: ({ id, params: { protocolVersion } }, response) =>
          streamed(response, id, {
            protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: "streamed", version: "1" },
          }),
        "tools/list": ({ id }, response) => void setTimeout(() => streamed(response, id, { tools }), 500),
      },
    );
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "answered", output: "at last" });
  });

  test("a connection that breaks off in the middle of an answer is a connection failure", async () => {
    await using server = await streamableServer((_, response, request) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"jsonrpc"', () => request.socket.destroy());
    });
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "connection" });
  });

  const unreadable: [string, string, string][] = [
    ["text instead of JSON", "application/json", "hello"],
    ["a key twice", "application/json", '{"jsonrpc":"2.0","id":2,"result":{"a":1,"a":2}}'],
    ["an event that is not a message", "text/event-stream", 'data: {"jsonrpc":"2.0","id":2,"result":5}\n\n'],
    ["an event that is no JSON", "text/event-stream", "data: hello\n\n"],
    ["a web page", "text/html", "<h1>Hello</h1>"],
  ];
  for (const [what, type, body] of unreadable) {
    test(`${what} is a bad response`, async () => {
      await using server = await streamableServer((_, response) => {
        response.writeHead(200, { "content-type": type }).end(body);
      });
      await using skill = openRemoteMcpSkill(server.url);

      expect(await skill.call({}, within(20_000))).toMatchObject({ status: "failed", cause: "bad-response" });
    });
  }

  test("an answer nested too deeply is a bad response, however it comes", async () => {
    await using server = await streamableServer(({ id }, response) => {
      const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        `data: {"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${deep}}}\n\n`,
      );
    });
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "bad-response",
      message: expect.stringContaining("nested"),
    });
  });
});

describe("over HTTP+SSE", () => {
  test("a server that refuses Streamable HTTP is reached over HTTP+SSE", async () => {
    await using server = await sseServer(sseEcho);
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({ n: 1 }, within(20_000))).toMatchObject({
      status: "answered",
      output: { n: 1 },
    });
    expect(await skill.call({ n: 2 }, within(20_000))).toMatchObject({
      status: "answered",
      output: { n: 2 },
    });
    expect(server.streams).toBe(1);
  });

  test("transport http forbids the way back, transport sse takes it at once", async () => {
    await using server = await sseServer(sseEcho);
    await using strict = openRemoteMcpSkill(server.url, { transport: "http" });
    await using old = openRemoteMcpSkill(server.url, { transport: "sse" });

    expect(await strict.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "http-status",
      message: "HTTP 405: only GET here",
    });
    expect(await old.call({}, within(20_000))).toMatchObject({ status: "answered" });
  });

  test("a server that refuses both is reported with its first answer", async () => {
    await using server = await httpServer((_, response) => void response.writeHead(404).end("no MCP here"));
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({
      status: "failed",
      cause: "http-status",
      message: "HTTP 404: no MCP here",
      isFinal: true,
    });
  });

  test("a refusal of our credentials is no reason to try another protocol", async () => {
    await using server = await httpServer((_, response) => void response.writeHead(401).end("no"));
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(20_000))).toMatchObject({
      cause: "http-status",
      message: "HTTP 401: no",
    });
    expect(server.requests).toBe(1);
  });

  test("a stream that breaks off in a call is a connection failure", async () => {
    await using server = await sseServer((_, stream) => void stream.end());
    await using skill = openRemoteMcpSkill(server.url);

    expect(await skill.call({}, within(25_000))).toMatchObject({ status: "failed", cause: "connection" });
  });

  test("a server that never opens the stream ends at the deadline", async () => {
    await using server = await httpServer(() => {});
    await using skill = openRemoteMcpSkill(server.url, { transport: "sse" });

    expect(await skill.call({}, within(300))).toMatchObject({ status: "timed-out", latencyMs: 300 });
  });
});
