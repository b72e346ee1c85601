import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { httpServer, rawServer, readBody } from "../../test/local-server.ts";
import { within } from "../../test/open-skill.ts";
import type { Adapter } from "../contract/outcome.ts";
import { HttpConfig, type UnitSkill } from "../contract/unit-skill.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import type { Json } from "../shared/json/json.ts";
import { httpAdapter } from "./http.ts";
import { openAdapter } from "./open-adapter.ts";

const patience = within(20_000);

function adapterTo(origin: string, concurrency = 4): Adapter {
  return httpAdapter({
    target: { origin, path: "/", headers: { "content-type": "application/json" } },
    buildBody: (input) => input,
    maxOutputBytes: 5_242_880,
    concurrency,
  });
}

const echo: RequestListener = (request, response) =>
  void readBody(request).then((body) => response.end(body));

interface SeenRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** What a server sees of one call of a skill with this configuration. */
async function seenBy(
  config: Record<string, unknown>,
  entrypoint = "/invoke",
  env = {},
  input: Json = { query: "Paris" },
): Promise<SeenRequest> {
  let seen: SeenRequest | undefined;
  await using server = await httpServer((request, response) => {
    void readBody(request).then((body) => {
      seen = {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: JSON.parse(body || "null"),
      };
      response.end("{}");
    });
  });
  const parsed = HttpConfig.parse({ type: "http", baseUrl: server.url, ...config });
  const skill: UnitSkill = {
    id: "weather_v1",
    name: "Weather",
    version: "1.0.0",
    description: "",
    tags: [],
    dir: "/skills/weather",
    manifest: "/skills/weather/skill.json",
    adapter: { type: "http", entrypoint, config: parsed },
    inputSchema: {},
    outputSchema: {},
    metadata: {},
    digest: "sha256:0",
  };
  await using sandbox = openSandbox({ level: "process", killGraceMs: 300, memoryMb: null });
  await using adapter = await openAdapter(skill, {
    sandbox,
    env,
    envKeys: [],
    maxOutputBytes: 5_242_880,
    concurrency: 2,
    version: "1.2.3",
  });
  expect(await adapter.call(input, patience)).toMatchObject({ status: "answered" });
  return seen as SeenRequest;
}

test("a call is a POST of JSON with the product's version", async () => {
  const { method, url, headers } = await seenBy({});
  expect({ method, url }).toEqual({ method: "POST", url: "/invoke" });
  expect(headers).toMatchObject({ "content-type": "application/json", "x-eval-skills-version": "1.2.3" });
  expect(headers).not.toHaveProperty("authorization");
  expect(headers).not.toHaveProperty("x-api-key");
});

test("the body is an envelope around the input", async () => {
  const { body } = await seenBy({});
  expect(body).toEqual({ skillId: "weather_v1", version: "1.0.0", input: { query: "Paris" } });
});

test("the body is the bare input where the skill wants that", async () => {
  expect((await seenBy({ bodyMode: "input" })).body).toEqual({ query: "Paris" });
});

test("a GET has no body: the members of the input are its query, lists one by one and maps as JSON", async () => {
  const input = { city: "São Paulo", days: 3, tags: ["a", "b&c"], near: { km: 5 }, none: null };
  const { method, url, headers, body } = await seenBy({ method: "GET" }, "/forecast?units=metric", {}, input);

  expect(method).toBe("GET");
  expect(url).toBe(
    "/forecast?units=metric&city=S%C3%A3o+Paulo&days=3&tags=a&tags=b%26c&near=%7B%22km%22%3A5%7D&none=null",
  );
  expect(body).toBeNull();
  expect(headers).not.toHaveProperty("content-type");
});

test("a GET with another input than a map calls it input", async () => {
  expect((await seenBy({ method: "GET" }, "/x", {}, [1, 2])).url).toBe("/x?input=1&input=2");
  expect((await seenBy({ method: "GET" }, "/x", {}, {})).url).toBe("/x");
});

test.each(["PUT", "PATCH", "DELETE"])("a %s has the body of a POST", async (method) => {
  expect(await seenBy({ method })).toMatchObject({ method, body: { input: { query: "Paris" } } });
});

test("a bearer token is sent as Authorization", async () => {
  const { headers } = await seenBy({ authType: "bearer", authTokenEnvKey: "TOKEN" }, "/invoke", {
    TOKEN: "s3cret-token",
  });
  expect(headers.authorization).toBe("Bearer s3cret-token");
});

test("an API key is sent as X-API-Key, or under the name the skill gives", async () => {
  const env = { KEY: "s3cret-key" };
  const config = { authType: "api-key", authTokenEnvKey: "KEY" };
  expect((await seenBy(config, "/invoke", env)).headers["x-api-key"]).toBe("s3cret-key");
  const { headers } = await seenBy({ ...config, authHeader: "X-Weather" }, "/invoke", env);
  expect(headers["x-weather"]).toBe("s3cret-key");
  expect(headers).not.toHaveProperty("x-api-key");
});

test("usage headers become usage", async () => {
  await using server = await httpServer((_, response) =>
    response
      .writeHead(200, {
        "x-usage-input-tokens": "12",
        "x-usage-output-tokens": "3",
        "x-usage-total-tokens": "15",
        "x-usage-cost-usd": "0.002",
      })
      .end("1"),
  );
  await using skill = adapterTo(server.url);
  expect((await skill.call(null, patience)).usage).toEqual({
    promptTokens: 12,
    completionTokens: 3,
    totalTokens: 15,
    costUsd: 0.002,
  });
});

test("usage headers that cannot be true are left out with a warning each", async () => {
  await using server = await httpServer((_, response) =>
    response
      .writeHead(200, {
        "x-usage-input-tokens": "many",
        "x-usage-output-tokens": "-1",
        "x-usage-cost-usd": "",
      })
      .end("1"),
  );
  await using skill = adapterTo(server.url);
  const outcome = await skill.call(null, patience);
  expect(outcome.usage).toBeUndefined();
  expect(outcome.warnings).toHaveLength(3);
});

test("without usage headers nothing is known, which is not zero", async () => {
  await using server = await httpServer((_, response) => response.end("1"));
  await using skill = adapterTo(server.url);
  expect((await skill.call(null, patience)).usage).toBeUndefined();
});

test("compressed answers are unpacked", async () => {
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
  for (const [encoding, pack] of Object.entries(packers)) {
    await using server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(pack('{"result":"ü"}')),
    );
    await using skill = adapterTo(server.url);
    expect(await skill.call(null, patience)).toMatchObject({ status: "answered", output: { result: "ü" } });
  }
});

test("calls one after the other stay on connections that are open already", async () => {
  await using server = await httpServer(echo);
  await using skill = adapterTo(server.url);
  for (let round = 0; round < 20; round++) await skill.call(round, patience);
  expect(server.requests).toBe(20);
  expect(server.connections.made).toBeLessThanOrEqual(2); // a second one where the first was not free that very moment
});

test("calls at once have at most as many connections as may run at once", async () => {
  await using server = await httpServer(echo);
  await using skill = adapterTo(server.url, 3);
  await Promise.all(Array.from({ length: 30 }, (_, number) => skill.call(number, patience)));
  expect(server.requests).toBe(30);
  expect(server.connections.made).toBeLessThanOrEqual(3);
});

test("a call after a deadline is not held up by the connection that was left", async () => {
  let requests = 0;
  await using server = await httpServer((_, response) => {
    if (++requests > 1) response.end('"second"');
  });
  await using skill = adapterTo(server.url, 1);
  expect(await skill.call(null, within(200))).toMatchObject({ status: "timed-out" });
  expect(await skill.call(null, patience)).toMatchObject({ status: "answered", output: "second" });
});

test("waiting for a place is no part of the latency, nor of the deadline", async () => {
  const deadlineMs = 1000;
  let requests = 0;
  let leftAt = 0;
  await using server = await httpServer(async (_, response) => {
    if (++requests === 1) await sleep(deadlineMs + 200);
    leftAt ||= performance.now();
    response.end("1");
  });
  await using skill = adapterTo(server.url, 1);

  const [first, second] = await Promise.all([
    skill.call("takes the place", patience),
    skill.call("waits for it longer than its deadline", within(deadlineMs)),
  ]);

  expect([first.status, second.status]).toEqual(["answered", "answered"]);
  expect(second.latencyMs).toBeLessThanOrEqual(performance.now() - leftAt);
});

test("a call that waits for a place is left by an interruption", async () => {
  await using server = await httpServer(() => {});
  await using skill = adapterTo(server.url, 1);
  const stop = new AbortController();
  const reason = new Error("stop");
  const calls = [1, 2, 3].map((number) => skill.call(number, { deadlineMs: 20_000, signal: stop.signal }));
  stop.abort(reason);
  for (const outcome of await Promise.allSettled(calls))
    expect(outcome).toEqual({ status: "rejected", reason });
});

test("a server that closes each connection after its answer, without saying so, is called all the same", async () => {
  await using server = await rawServer((socket) =>
    socket.on("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1");
      socket.end();
    }),
  );
  await using skill = adapterTo(server.url, 1);
  const statuses = [];
  for (let round = 0; round < 20; round++) statuses.push((await skill.call(round, patience)).status);
  expect(new Set(statuses)).toEqual(new Set(["answered"]));
});
