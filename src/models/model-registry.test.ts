import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { httpServer, readBody } from "../../test/local-server.ts";
import { bareContext, completion, modelSettings, settingsAt } from "../../test/model-server.ts";
import { programs } from "../../test/programs.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { ModelOutcome, ModelRequest } from "../contract/model.ts";
import { modelRegistry } from "./model-registry.ts";

const signal = new AbortController().signal;
const question: ModelRequest = { messages: [{ role: "user", text: "well?" }], temperature: 0 };
const json = { "content-type": "application/json" };

/** The first of the variables whose value reaches the server as the key. */
async function keySent(settings: object, context: object): Promise<string | undefined> {
  let sent: string | undefined;
  await using server = await httpServer((request, response) => {
    sent = request.headers.authorization;
    response.writeHead(200, json).end(completion("yes"));
  });
  const registry = modelRegistry(settingsAt(server, settings), { ...bareContext, ...context });
  await (await registry.open(undefined)).call(question, { signal });
  expect(registry.secrets()).toEqual(sent === undefined ? [] : [sent.replace("Bearer ", "")]);
  return sent;
}

test("the key of the llm endpoint is the first set of three variables, unless one is named", async () => {
  const env = {
    EVAL_SKILLS_LLM_KEY: "",
    OPENAI_API_KEY: "key-two",
    OPENAI_KEY: "key-three",
    MINE: "key-mine",
  };

  expect(await keySent({}, { env })).toBe("Bearer key-two");
  expect(await keySent({}, { env: { ...env, EVAL_SKILLS_LLM_KEY: "key-one" } })).toBe("Bearer key-one");
  expect(await keySent({ apiKeyEnv: "MINE" }, { env })).toBe("Bearer key-mine");
  await expect(keySent({ apiKeyEnv: "OTHER" }, { env })).rejects.toThrow("OTHER is not set");
});

test("white space around a key is no part of it; a key of nothing else is none", async () => {
  expect(await keySent({}, { env: { OPENAI_API_KEY: " key-two\n" } })).toBe("Bearer key-two");
  expect(await keySent({}, { env: { OPENAI_API_KEY: " \n", OPENAI_KEY: "key-three" } })).toBe(
    "Bearer key-three",
  );
});

test.each(["secret\nword-1", "secret\u0001word-1", "secret-€-word-1"])(
  "a key that no header can carry is refused before anything is asked, and not shown (%j)",
  async (key) => {
    const registry = modelRegistry(modelSettings({}), { ...bareContext, env: { OPENAI_API_KEY: key } });
    const fromFile = modelRegistry(modelSettings({}), { ...bareContext, apiKey: key });

    await expect(registry.open("gpt-4o")).rejects.toMatchObject({
      code: "model-invalid",
      message: expect.stringMatching(/^(?!.*secret).*OPENAI_API_KEY contains/s),
    });
    await expect(fromFile.open("gpt-4o")).rejects.toMatchObject({
      code: "model-invalid",
      message: expect.stringMatching(/^(?!.*secret).*llm\.apiKey contains/s),
    });
  },
);

test("the key in the user's file beats what lies about, not what is named", async () => {
  const env = { OPENAI_API_KEY: "key-two", MINE: "key-mine" };

  expect(await keySent({}, { env, apiKey: "key-file" })).toBe("Bearer key-file");
  expect(await keySent({ apiKeyEnv: "MINE" }, { env, apiKey: "key-file" })).toBe("Bearer key-mine");
});

test.each([
  ["gpt-4o", "EVAL_SKILLS_LLM_KEY or OPENAI_API_KEY or OPENAI_KEY"],
  ["openai/gpt-4o", "OPENAI_API_KEY"],
  ["claude-x", "ANTHROPIC_API_KEY"],
  ["gemini-x", "GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY"],
  ["lab/x", "LAB_KEY"],
])("%s without a key is refused before anything is asked, naming %s", async (id, variables) => {
  const models = { lab: { baseUrl: "https://lab.example/v1", apiKeyEnv: "LAB_KEY" } };
  const registry = modelRegistry(modelSettings({ models }), bareContext);

  await expect(registry.open(id)).rejects.toMatchObject({
    code: "secret-missing",
    message: expect.stringContaining(`${variables} is not set`),
  });
});

test.each(["http://localhost:9/v1", "http://127.1.2.3:9/v1", "http://[::1]:9/v1", "http://a.localhost:9/v1"])(
  "an endpoint on this machine needs no key: %s",
  async (baseUrl) => {
    const registry = modelRegistry(modelSettings({ llm: { baseUrl } }), bareContext);

    expect((await registry.open("x")).identity).toEqual({ provider: "llm", model: "x", baseUrl });
  },
);

test("a variable that the configuration names must be set, on this machine too", async () => {
  const settings = modelSettings({
    models: { lab: { baseUrl: "http://localhost:9/v1", apiKeyEnv: "LAB_KEY" } },
  });
  await expect(modelRegistry(settings, bareContext).open("lab/x")).rejects.toMatchObject({
    code: "secret-missing",
    message: expect.stringContaining("LAB_KEY is not set"),
  });
  const none = modelSettings({ models: { lab: { baseUrl: "http://localhost:9/v1", apiKeyEnv: false } } });
  expect((await modelRegistry(none, bareContext).open("lab/x")).id).toBe("lab/x");
});

test("a name that only looks like this machine needs one", async () => {
  const registry = modelRegistry(
    modelSettings({ llm: { baseUrl: "http://127.0.0.1.example.com/v1" } }),
    bareContext,
  );

  await expect(registry.open("x")).rejects.toMatchObject({ code: "secret-missing" });
});

test("a mistake in the configured model has its place in the configuration", async () => {
  const registry = modelRegistry(modelSettings({ llm: { model: "meta-llama/x" } }), bareContext);

  await expect(registry.open(undefined)).rejects.toMatchObject({
    code: "model-invalid",
    jsonPath: "$.llm.model",
  });
});

test("a model is opened once, whatever it is called by", async () => {
  const registry = modelRegistry(modelSettings(), { ...bareContext, env: { ANTHROPIC_API_KEY: "k" } });

  expect(await registry.open("claude-x")).toBe(await registry.open("anthropic/claude-x"));
});

test("what was recorded is replayed without network or key, reply for reply and piece for piece", async () => {
  await using folder = await temporaryFolder();
  const key = "sk-0123456789abcdef";
  let count = 0;
  const server = await httpServer(async (request, response) => {
    const nonce = /nonce (\w+)/.exec(await readBody(request))?.[1];
    // A provider may say anything: the word it should not know, and the key it should not show.
    response
      .writeHead(200, json)
      .end(completion(`reply ${++count} to ${nonce}, ${key}`, { prompt_tokens: 9 }));
  });
  const settings = settingsAt(server);
  const ask = (nonce: string, ordinal: number): ModelRequest => ({
    messages: [{ role: "user", text: `grade this, nonce ${nonce}` }],
    temperature: 0,
    nonce,
    trial: 1,
    ordinal,
  });
  const record = join(folder.path, "made", "by", "us");
  const real = await modelRegistry(settings, { ...bareContext, env: { OPENAI_API_KEY: key }, record }).open(
    undefined,
  );
  await real.call(ask("aaaa1111", 1), { signal });
  await real.call(ask("aaaa2222", 2), { signal });
  await server[Symbol.asyncDispose]();

  const replay = await modelRegistry(settings, { ...bareContext, replay: record }).open(undefined);
  const received: string[] = [];
  const first = await replay.call(ask("bbbb1111", 1), { signal, onText: (piece) => received.push(piece) });
  const second = await replay.call(ask("bbbb2222", 2), { signal });
  const third = await replay.call(ask("bbbb3333", 3), { signal });

  const usage = { promptTokens: 9, completionTokens: null, totalTokens: null, costUsd: null };
  expect(first).toMatchObject({ text: "reply 1 to bbbb1111, [redacted]", finishReason: "stop", usage });
  expect(received.join("")).toBe("reply 1 to bbbb1111, [redacted]");
  expect(second).toMatchObject({ text: "reply 2 to bbbb2222, [redacted]" });
  expect(third).toMatchObject({ status: "failed", fault: "not-recorded" });
  expect(replay).toMatchObject({ id: real.id, identity: real.identity });
  const files = readdirSync(record);
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(file).toMatch(/^[0-9a-f]{64}\.json$/);
    const text = readFileSync(join(record, file), "utf8");
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/aaaa|authorization|grade this/i);
  }
});

test("what skills are trusted with is in no recording, nor is a key that came into use later", async () => {
  await using folder = await temporaryFolder();
  const [token, key] = ["token-of-a-skill-42", "key-of-another-judge"];
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, json).end(completion(`the output says ${token} and ${key}`));
  });
  const models = { lab: { baseUrl: `${server.url}/v1`, apiKeyEnv: "LAB_KEY" } };
  const registry = modelRegistry(settingsAt(server, {}, { models }), {
    ...bareContext,
    env: { LAB_KEY: key },
    secrets: [token],
    record: folder.path,
  });
  const first = await registry.open(undefined);
  await registry.open("lab/m");

  await first.call(question, { signal });

  const [file = ""] = readdirSync(folder.path);
  expect(readFileSync(join(folder.path, file), "utf8")).toContain(
    "the output says [redacted] and [redacted]",
  );
});

test("a recording that is broken is not a reply, and no crash", async () => {
  await using folder = await temporaryFolder();
  await using server = await httpServer((_request, response) => {
    response.writeHead(200, json).end(completion("fine"));
  });
  const settings = settingsAt(server);
  const real = await modelRegistry(settings, { ...bareContext, record: folder.path }).open(undefined);
  await real.call(question, { signal });
  const [file = ""] = readdirSync(folder.path);
  writeFileSync(join(folder.path, file), '{"chunks":');

  const replay = await modelRegistry(settings, { ...bareContext, replay: folder.path }).open(undefined);

  expect(await replay.call(question, { signal })).toMatchObject({ status: "failed", fault: "bad-reply" });
  rmSync(join(folder.path, file));
  mkdirSync(join(folder.path, file));
  expect(await replay.call(question, { signal })).toMatchObject({
    fault: "bad-reply",
    message: expect.stringContaining("not a regular file"),
  });
});

test("what fails is not recorded", async () => {
  await using folder = await temporaryFolder();
  await using server = await httpServer((_request, response) => void response.writeHead(400).end());
  const registry = modelRegistry(settingsAt(server), { ...bareContext, record: folder.path });

  await (await registry.open(undefined)).call(question, { signal });

  expect(readdirSync(folder.path)).toEqual([]);
});

test("a folder that cannot be replayed from or recorded in is a mistake found before the first call", async () => {
  const settings = modelSettings({ llm: { baseUrl: "http://127.0.0.1:9/v1" } });
  const opening = (context: object) => modelRegistry(settings, { ...bareContext, ...context }).open("x");

  await expect(opening({ replay: "/nowhere/at/all" })).rejects.toMatchObject({ code: "usage" });
  await expect(opening({ record: "/dev/null/x" })).rejects.toMatchObject({ code: "output-unwritable" });
});

/** Begins to stream and never ends. */
function endless(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Well" } }] })}\n\n`);
}

test("closing it closes the connections of its models, those of calls under way included", async () => {
  await using server = await httpServer(endless);
  const registry = modelRegistry(settingsAt(server, { retries: 0 }), bareContext);
  const model = await registry.open(undefined);
  let underWay: Promise<ModelOutcome> | undefined;
  await new Promise<void>((received) => {
    underWay = model.call(question, { signal, onText: () => received() });
  });

  await registry[Symbol.asyncDispose]();

  expect(await underWay).toMatchObject({ status: "failed", fault: "unavailable" });
  await expect.poll(() => server.connections.open).toBe(0);
});

test("one that never opened a model, or could not, can be closed", async () => {
  await using registry = modelRegistry(modelSettings({}), bareContext);
  await expect(registry.open("gpt-4o")).rejects.toMatchObject({ code: "secret-missing" });
});

test("nothing of a closed model keeps the process alive", async () => {
  await using server = await httpServer(endless);
  const program = ["--import", "tsx", `${programs}/closes-models.ts`, server.url];

  const { stdout } = await promisify(execFile)(process.execPath, program, { timeout: 20_000 });

  expect(stdout).toBe("failed\n");
});
