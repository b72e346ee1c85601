import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { httpServer, type LocalServer } from "../../test/local-server.ts";
import { bareContext, completion, modelSettings, settingsAt } from "../../test/model-server.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { ModelRequest } from "../contract/model.ts";
import { memoryCache } from "../store/memory-cache.ts";
import { Budget } from "./budget.ts";
import { type ModelContext, modelRegistry } from "./model-registry.ts";

const signal = new AbortController().signal;
const prices = { "judge-1": { inputPerMTok: 1, outputPerMTok: 10 } };
const question: ModelRequest = {
  messages: [{ role: "user", text: "well?" }],
  temperature: 0,
  maxOutputTokens: 10,
  trial: 0,
};

/** Says "reply 1", "reply 2", and so on. */
function countingServer(): Promise<LocalServer> {
  let count = 0;
  return httpServer((_request, response) => {
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(completion(`reply ${++count}`, usage));
  });
}

/** Puts the question to the configured model, once, as a run of its own would. */
async function askOnce(server: LocalServer, more: Partial<ModelContext>, settings: object = { prices }) {
  await using registry = modelRegistry(settingsAt(server, {}, settings), { ...bareContext, ...more });
  const model = await registry.open(undefined);
  return await model.call(question, { signal }); // before the registry is closed
}

test("a kept reply is used by the next run, costs no money, and has the price of today", async () => {
  await using server = await countingServer();
  const replies = memoryCache();
  const first = await askOnce(server, { replies, budget: new Budget(1) });
  const dearer = { "judge-1": { inputPerMTok: 2, outputPerMTok: 20 } };
  const penniless = new Budget(0);

  const second = await askOnce(server, { replies, budget: penniless }, { prices: dearer });

  expect(first).toMatchObject({ text: "reply 1", usage: { costUsd: 0.0002 } });
  expect(first).not.toHaveProperty("isCached");
  expect(second).toMatchObject({ text: "reply 1", isCached: true, usage: { costUsd: 0.0004 } });
  expect(server.requests).toBe(1);
});

test("a recording asks every time, so that it is whole, and what it hears is kept", async () => {
  await using server = await countingServer();
  await using folder = await temporaryFolder();
  const replies = memoryCache();
  await askOnce(server, { replies });

  const recorded = await askOnce(server, { replies, record: folder.path });
  const later = await askOnce(server, { replies });

  expect(recorded).toMatchObject({ text: "reply 2" });
  expect(readdirSync(folder.path)).toHaveLength(1);
  expect(later).toMatchObject({ text: "reply 2", isCached: true });
});

test("a replay answers from its folder alone, and needs neither price nor money", async () => {
  await using server = await countingServer();
  await using folder = await temporaryFolder();
  const replies = memoryCache();
  await askOnce(server, { replies });

  const replayed = await askOnce(server, { replies, replay: folder.path, budget: new Budget(0) }, {});

  expect(replayed).toMatchObject({ status: "failed", fault: "not-recorded" });
});

test("a spent budget stops calls before they are made", async () => {
  await using server = await countingServer();
  const budget = new Budget(0.0003);

  const outcomes = [];
  for (let round = 0; round < 3; round++) outcomes.push(await askOnce(server, { budget }));

  expect(outcomes).toMatchObject([{ status: "answered" }, { fault: "budget" }, { fault: "budget" }]);
  expect(server.requests).toBe(1);
});

test("a budget for a model without a price is a mistake in the configuration, found before the first call", async () => {
  const registry = modelRegistry(modelSettings({ models: { lab: { baseUrl: "http://127.0.0.1:9/v1" } } }), {
    ...bareContext,
    budget: new Budget(1),
  });

  await expect(registry.open("lab/some.model")).rejects.toMatchObject({
    code: "config-invalid",
    jsonPath: '$.prices["lab/some.model"]',
    hint: expect.stringContaining('prices: { "lab/some.model": { inputPerMTok: 2.5'),
  });
});

test("the price of a model is known by any of its names, without a key", () => {
  const price = { inputPerMTok: 1, outputPerMTok: 5 };
  const registry = modelRegistry(
    modelSettings({ prices: { "claude-x": price, "openai/gpt-4o": price } }),
    bareContext,
  );

  expect(registry.findPrice("anthropic/claude-x")).toEqual(price);
  expect(registry.findPrice("claude-x")).toEqual(price);
  expect(registry.findPrice(undefined)).toEqual(price);
  expect(registry.findPrice("claude-y")).toBeNull();
});
