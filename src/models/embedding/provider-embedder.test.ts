import { hash } from "node:crypto";
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { httpServer, type LocalServer, readBody } from "../../../test/local-server.ts";
import { modelSettings } from "../../../test/model-server.ts";
import type { Embedder } from "../../contract/model.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { parseModelId } from "../model-id.ts";
import { embedderContract, type OpenEmbedder } from "./embedder.contract.ts";
import { providerEmbedder } from "./provider-embedder.ts";

const signal = new AbortController().signal;
const json = { "content-type": "application/json" };
const dim = 8;

/** A vector that depends on nothing but the text. */
function vectorOf(text: string, length = dim): number[] {
  return [...hash("sha256", text, "buffer").subarray(0, length)].map((byte) => (byte + 1) / 256);
}

interface EmbeddingBody {
  input?: string[];
  requests?: { content: { parts: { text: string }[] } }[];
  content?: { parts: { text: string }[] };
  dimensions?: number;
}

/** Speaks as OpenAI does, or as Google does, by the path that is asked for. */
const speaking: RequestListener = async (request, response) => {
  const { input, requests, content }: EmbeddingBody = JSON.parse(await readBody(request));
  const values = (of: typeof content) => ({ values: vectorOf(of?.parts[0]?.text ?? "") });
  const data = input?.map((text, index) => ({ index, embedding: vectorOf(text) }));
  const answer =
    data !== undefined
      ? { data, usage: { prompt_tokens: 3 } }
      : requests !== undefined
        ? { embeddings: requests.map((each) => values(each.content)) }
        : { embedding: values(content) };
  response.writeHead(200, json).end(JSON.stringify(answer));
};

interface More {
  id?: string;
  dim?: number;
  timeoutMs?: number;
  retries?: number;
  clock?: Clock;
}

function embedderAt({ url }: Pick<LocalServer, "url">, more: More = {}): Promise<Embedder> {
  const { id = "lab/some-model", ...options } = more;
  const server = { baseUrl: `${url}/v1` };
  const endpoint = parseModelId(
    id,
    modelSettings({ models: { lab: server, openai: server, google: server } }),
  );
  return providerEmbedder({
    endpoint,
    key: null,
    dim,
    timeoutMs: 20_000,
    retries: 0,
    concurrency: 4,
    clock: systemClock,
    random: () => 0,
    ...options,
  });
}

for (const [name, id] of [
  ["an OpenAI-compatible server", "lab/some-model"],
  ["a server of OpenAI's kind", "openai/text-embedding-3-small"],
  ["a server of Google's kind", "google/gemini-embedding-001"],
] as const) {
  async function openAt(listener: RequestListener): Promise<OpenEmbedder> {
    const server = await httpServer(listener);
    const embedder = await embedderAt(server, { id });
    return {
      embedder,
      async [Symbol.asyncDispose]() {
        await embedder[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  }

  embedderContract(name, {
    working: () => openAt(speaking),
    failing: () => openAt((_request, response) => void response.writeHead(500).end("no such thing")),
    slow: () => openAt(() => {}),
  });
}

/** What an embedder says when its server answers everything with this. */
async function outcomeOf(
  status: number,
  body: string,
  headers: Record<string, string> = json,
  more: More = {},
) {
  await using server = await httpServer((_request, response) => {
    response.writeHead(status, headers).end(body);
  });
  await using embedder = await embedderAt(server, more);
  return { outcome: await embedder.embed(["a", "b"], signal), requests: server.requests };
}

const answer = (...vectors: unknown[]) =>
  JSON.stringify({ data: vectors.map((embedding) => ({ embedding })) });
const good = vectorOf("good");

test.each([
  ["too few vectors", answer(good), "expected 2 vectors, got 1"],
  ["too many vectors", answer(good, good, good), "expected 2 vectors, got 3"],
  ["shorter vectors", answer(good, [1, 2, 3]), "a vector has 3 dimensions, the configuration says 8"],
  [
    "numbers beyond counting",
    answer(good).replace("]}]", ']},{"embedding":[1e999,0,0,0,0,0,0,0]}]'),
    "cannot be read",
  ],
  ["numbers beyond single precision", answer(good, [1e200, 0, 0, 0, 0, 0, 0, 0]), "not a number"],
  ["NaN", answer(good, good).replace(/0\.\d+/, "NaN"), "cannot be read"],
  ["null for NaN", answer(good, [null, 0, 0, 0, 0, 0, 0, 0]), "cannot be read"],
  ["nothing but zeros", answer(good, [0, 0, 0, 0, 0, 0, 0, 0]), "all zeros"],
  ["no JSON", "<html>hello</html>", "cannot be read"],
  ["JSON of another shape", '{"hello":"world"}', "cannot be read"],
  ["nothing", "", "cannot be read"],
])("a success that says %s is a failure in words, and is not asked for again", async (_name, body, words) => {
  const { outcome, requests } = await outcomeOf(200, body, json, { retries: 3 });

  expect(outcome).toEqual({ status: "failed", message: expect.stringContaining(words) });
  expect(outcome.status === "failed" && outcome.message.length).toBeLessThan(500);
  expect(requests).toBe(1);
});

test("vectors that come in another order are put in that of the texts", async () => {
  const data = ["b", "a"].map((text, place) => ({ index: 1 - place, embedding: vectorOf(text) }));
  const { outcome } = await outcomeOf(200, JSON.stringify({ data }));

  expect(outcome).toEqual({
    status: "embedded",
    vectors: [Float32Array.from(vectorOf("a")), Float32Array.from(vectorOf("b"))],
  });
});

/** Does not wait, and remembers how long it should have. */
function impatientClock() {
  const pauses: number[] = [];
  const clock: Clock = { ...systemClock, sleep: async (durationMs) => void pauses.push(durationMs) };
  return { clock, pauses };
}

test("a server that is overrun is asked again after the pause it wants, and a refusal is not repeated", async () => {
  const { clock, pauses } = impatientClock();
  const busy = await outcomeOf(429, "slow down", { "retry-after": "2" }, { retries: 2, clock });
  const refused = await outcomeOf(401, "no key", json, { retries: 2, clock });

  expect(busy).toMatchObject({
    outcome: { message: "lab/some-model: HTTP 429: slow down (after 3 tries)" },
    requests: 3,
  });
  expect(refused).toMatchObject({ outcome: { message: "lab/some-model: HTTP 401: no key" }, requests: 1 });
  expect(pauses).toEqual([2000, 2000]);
});

test("a pause that does not fit into the time is not begun", async () => {
  const { outcome, requests } = await outcomeOf(
    429,
    "",
    { "retry-after": "30" },
    { retries: 3, timeoutMs: 10_000 },
  );

  expect(outcome).toMatchObject({ message: expect.stringContaining("wait more than 10 s") });
  expect(requests).toBe(1);
});

test("a server that is down, and one that is silent, are failures too", async () => {
  const gone = await httpServer(() => {});
  await gone[Symbol.asyncDispose]();
  await using silent = await httpServer(() => {});
  await using toGone = await embedderAt(gone);
  await using toSilent = await embedderAt(silent, { timeoutMs: 100, retries: 3 });

  expect(await toGone.embed(["a"], signal)).toMatchObject({
    message: expect.stringContaining("ECONNREFUSED"),
  });
  expect(await toSilent.embed(["a"], signal)).toMatchObject({
    status: "failed",
    message: expect.stringContaining("no reply within 100 ms"),
  });
});

test("a model that can shorten its vectors is asked for the length that is wanted, and another is not", async () => {
  const bodies: EmbeddingBody[] = [];
  await using server = await httpServer(async (request, response) => {
    bodies.push(JSON.parse(await readBody(request)));
    response.writeHead(400).end();
  });
  for (const id of [
    "openai/text-embedding-3-large",
    "openai/text-embedding-ada-002",
    "lab/text-embedding-3-large",
  ]) {
    await using embedder = await embedderAt(server, { id });
    await embedder.embed(["a"], signal);
  }

  expect(bodies.map(({ dimensions }) => dimensions)).toEqual([dim, undefined, undefined]);
});
