import type { IncomingHttpHeaders, RequestListener, ServerResponse } from "node:http";
import { expect, test, vi } from "vitest";
import { httpServer, type LocalServer, rawServer, readBody } from "../../test/local-server.ts";
import { bareContext, completion, modelServer, modelSettings, settingsAt } from "../../test/model-server.ts";
import type { Model, ModelRequest } from "../contract/model.ts";
import { systemClock } from "../shared/async/clock.ts";
import { aiSdkModel } from "./ai-sdk.ts";
import { parseModelId } from "./model-id.ts";
import { modelRegistry } from "./model-registry.ts";

const question: ModelRequest = { messages: [{ role: "user", text: "well?" }], temperature: 0 };
const schema = { type: "object", properties: { score: { type: "number" } }, required: ["score"] };
const call = () => ({ signal: new AbortController().signal });

/** The model of a local server, without retries. */
function modelAt(
  server: Pick<LocalServer, "url">,
  more: { key?: string; timeoutMs?: number } = {},
): Promise<Model> {
  const endpoint = parseModelId("judge-1", settingsAt(server));
  const { key = null, timeoutMs = 20_000 } = more;
  return aiSdkModel({ endpoint, key, timeoutMs, concurrency: 4, clock: systemClock });
}

const answers =
  (status: number, body = "", headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

const json = { "content-type": "application/json" };

test.each([
  [429, "rate-limited"],
  [408, "unavailable"],
  [409, "unavailable"],
  [500, "unavailable"],
  [503, "unavailable"],
  [529, "unavailable"],
  [400, "refused"],
  [401, "refused"],
  [404, "refused"],
] as const)("HTTP %i is %s, in the provider's words, and is asked once", async (status, fault) => {
  await using server = await httpServer(answers(status, '{"error":{"message":"not today"}}', json));
  const model = await modelAt(server);

  const outcome = await model.call(question, call());

  expect(outcome).toMatchObject({ status: "failed", fault, message: `HTTP ${status}: not today` });
  expect(server.requests).toBe(1);
});

test("how long to wait is read from Retry-After, in seconds or as a date", async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  await using server = await httpServer((request, response) =>
    answers(429, "", { "retry-after": request.url?.startsWith("/date") ? inAnHour : "7" })(request, response),
  );
  const seconds = await (await modelAt(server)).call(question, call());
  const date = await (await modelAt({ url: `${server.url}/date` })).call(question, call());

  expect(seconds).toMatchObject({ fault: "rate-limited", retryAfterMs: 7000 });
  expect((date as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(3_500_000);
});

test("a redirect is refused, and the other place never hears of the key", async () => {
  await using other = await httpServer(answers(200, completion("yes"), json));
  await using server = await httpServer(answers(302, "", { location: `${other.url}/v1/chat/completions` }));
  const model = await modelAt(server, { key: "sk-not-for-others" });

  expect(await model.call(question, call())).toMatchObject({
    fault: "refused",
    message: expect.stringContaining("302"),
  });
  expect(other.requests).toBe(0);
});

test("a provider that is silent is a timeout, and the latency is the time it had", async () => {
  await using server = await httpServer(() => {});
  const model = await modelAt(server, { timeoutMs: 150 });

  const outcome = await model.call(question, call());

  expect(outcome).toMatchObject({ status: "failed", fault: "timeout", message: "no reply within 150 ms" });
  expect(outcome.latencyMs).toBeGreaterThanOrEqual(140);
});

test("a question with a patience of its own is waited for that long, shorter or longer than usual", async () => {
  await using silent = await httpServer(() => {});
  await using slow = await httpServer((_request, response) => {
    setTimeout(() => answers(200, completion("at last"), json)(_request, response), 120);
  });
  const shortLimit = { timeoutMs: 20 };

  const short = await (await modelAt(silent)).call({ ...question, timeoutMs: 50 }, call());
  const long = await (await modelAt(slow, shortLimit)).call({ ...question, timeoutMs: 20_000 }, call());

  expect(short).toMatchObject({ fault: "timeout", message: "no reply within 50 ms" });
  expect(long).toMatchObject({ status: "answered", text: "at last" });
});

test("a provider that begins to stream and goes silent is a timeout too", async () => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Well" } }] })}\n\n`);
  });
  const model = await modelAt(server, { timeoutMs: 300 });
  const received: string[] = [];

  const outcome = await model.call(question, { ...call(), onText: (piece) => received.push(piece) });

  expect(outcome).toMatchObject({ status: "failed", fault: "timeout" });
  expect(received).toEqual(["Well"]);
});

test("where nobody listens the provider is unavailable", async () => {
  const gone = await httpServer(() => {});
  await gone[Symbol.asyncDispose]();

  expect(await (await modelAt(gone)).call(question, call())).toMatchObject({
    fault: "unavailable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a connection that breaks within the reply is not a reply", async () => {
  await using server = await rawServer((socket) => {
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{");
      socket.end();
    });
  });

  expect(await (await modelAt(server)).call(question, call())).toMatchObject({ fault: "unavailable" });
});

test.each([
  ["no JSON", "<html>hello</html>"],
  ["JSON of another shape", '{"hello":"world"}'],
  ["no choices", '{"choices":[]}'],
  ["nothing", ""],
])("a success that says %s is a bad reply", async (_name, body) => {
  await using server = await httpServer(answers(200, body, json));

  expect(await (await modelAt(server)).call(question, call())).toMatchObject({
    status: "failed",
    fault: "bad-reply",
    message: expect.stringContaining("cannot be read"),
  });
});

test.each([204, 205])("a success without a body (HTTP %d) is a bad reply in plain words", async (status) => {
  await using server = await httpServer(answers(status));

  expect(await (await modelAt(server)).call(question, call())).toMatchObject({
    fault: "bad-reply",
    message: "the reply cannot be read: Invalid JSON response",
  });
});

test("an error reported in the middle of a stream is the provider's failure", async () => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Well" } }] })}\n\n`);
    response.end(`data: ${JSON.stringify({ error: { message: "overloaded" } })}\n\n`);
  });

  const outcome = await (await modelAt(server)).call(question, { ...call(), onText: () => {} });

  expect(outcome).toMatchObject({
    status: "failed",
    fault: "unavailable",
    message: expect.stringContaining("overloaded"),
  });
});

test("a stream that ends without a word about its end is not a reply", async () => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ choices: [{ delta: { content: '{"score":1' } }] })}\n\n`);
  });

  const outcome = await (await modelAt(server)).call(question, { ...call(), onText: () => {} });

  // It is tried again, as a connection that breaks is.
  expect(outcome).toMatchObject({ status: "failed", fault: "unavailable" });
});

test("a server that does not stream is understood by who wants to listen", async () => {
  await using server = await httpServer(answers(200, completion("all at once"), json));
  const received: string[] = [];

  const outcome = await (await modelAt(server)).call(question, {
    ...call(),
    onText: (piece) => received.push(piece),
  });

  expect(outcome).toMatchObject({ status: "answered", text: "all at once", usage: null });
  expect(received).toEqual(["all at once"]);
  expect(server.requests).toBe(1);
});

test("a server that always streams is understood by who does not listen", async () => {
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const content of ["bit ", "by bit"])
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    const end = { choices: [{ delta: {}, finish_reason: "stop" }] };
    response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
  });

  expect(await (await modelAt(server)).call(question, call())).toMatchObject({
    status: "answered",
    text: "bit by bit",
  });
});

/** Records the request bodies, and answers by them. */
function listening(answer: (body: Record<string, unknown>, response: ServerResponse) => void) {
  const bodies: Record<string, unknown>[] = [];
  const listener: RequestListener = async (request, response) => {
    bodies.push(JSON.parse(await readBody(request)));
    answer(bodies.at(-1) ?? {}, response);
  };
  return { bodies, listener };
}

test("the schema goes along; a provider that cannot enforce it is asked without, from then on", async () => {
  const { bodies, listener } = listening((body, response) =>
    "response_format" in body
      ? response.writeHead(400, json).end('{"error":{"message":"response_format is not supported"}}')
      : response.writeHead(200, json).end(completion("fine")),
  );
  await using server = await httpServer(listener);
  const model = await modelAt(server);

  for (let round = 0; round < 2; round++)
    expect(await model.call({ ...question, schema }, call())).toMatchObject({ text: "fine" });

  expect(bodies.map((body) => "response_format" in body)).toEqual([true, false, false]);
});

test("tokens and cost are as the provider reported them; a price list fills in the cost where it did not", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100 };
  await using withCost = await httpServer(answers(200, completion("a", { ...usage, cost: 0.25 }), json));
  await using silent = await httpServer(answers(200, completion("a", usage), json));
  const prices = { "judge-1": { inputPerMTok: 2, outputPerMTok: 10 } };
  const usageAt = async (server: LocalServer, more: object) => {
    const model = await modelRegistry(settingsAt(server, {}, more), bareContext).open(undefined);
    const outcome = await model.call(question, call());
    return outcome.status === "answered" && outcome.usage;
  };

  const counts = { promptTokens: 1000, completionTokens: 100, totalTokens: 1100 };
  expect(await usageAt(withCost, { prices })).toEqual({ ...counts, costUsd: 0.25 });
  expect(await usageAt(silent, { prices })).toEqual({ ...counts, costUsd: 0.003 });
  expect(await usageAt(silent, {})).toEqual({ ...counts, costUsd: null });
});

test.each([
  ["negative", { prompt_tokens: -10, completion_tokens: -2 }],
  ["broken", { prompt_tokens: 1.5, completion_tokens: 2.5 }],
  ["beyond counting", { prompt_tokens: 1e300, completion_tokens: 1e308 }],
])("counts that are %s are unknown, and cost nothing that is known", async (_name, usage) => {
  await using server = await httpServer(answers(200, completion("a", usage), json));
  const prices = { "judge-1": { inputPerMTok: 2, outputPerMTok: 10 } };
  const model = await modelRegistry(settingsAt(server, {}, { prices }), bareContext).open(undefined);

  expect(await model.call(question, call())).toMatchObject({ status: "answered", usage: null });
});

test.each(["lab/m", "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "google/gemini-2.5-pro"])(
  "%s: the key goes into its header, and without one no header pretends there is",
  async (id) => {
    const seen: IncomingHttpHeaders[] = [];
    await using server = await httpServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(400).end();
    });
    // A key that merely lies about belongs to nobody we ask here.
    for (const name of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"])
      vi.stubEnv(name, "sk-lying-about");
    const env = { JUDGE_KEY: "sk-of-the-judge" };
    for (const apiKeyEnv of ["JUDGE_KEY", false] as const) {
      const endpoint = { baseUrl: server.url, apiKeyEnv };
      const models = { lab: endpoint, openai: endpoint, anthropic: endpoint, google: endpoint };
      const registry = modelRegistry(modelSettings({ models }), { ...bareContext, env });
      await (await registry.open(id)).call(question, call());
    }
    vi.unstubAllEnvs();

    const secrets = seen.map((headers) => JSON.stringify(headers));
    expect(secrets[0]).toContain("sk-of-the-judge");
    expect(secrets[1]).not.toMatch(/sk-|"none"|authorization|api-key/);
  },
);

test("a provider that shows the key in its error does not get it into ours", async () => {
  const key = "sk-0123456789abcdef";
  await using server = await httpServer((request, response) =>
    answers(401, `bad header: ${request.headers.authorization}`)(request, response),
  );
  const outcome = await (await modelAt(server, { key })).call(question, call());

  expect(outcome).toMatchObject({ message: "HTTP 401: bad header: Bearer [redacted]" });
});

test("nothing of the library reaches the console", async () => {
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  await using server = await modelServer("fine");
  const models = { openai: { baseUrl: `${server.url}/v1` } };
  // A reasoning model takes no temperature, which is worth a warning to the library.
  const model = await modelRegistry(modelSettings({ models }), bareContext).open("openai/o3");

  const outcome = await model.call({ ...question, temperature: 0.5, schema }, call());
  const calls = spies.flatMap(({ mock }) => mock.calls);
  vi.restoreAllMocks();

  expect(outcome).toMatchObject({ status: "answered", text: "fine" });
  expect(calls).toEqual([]);
});
