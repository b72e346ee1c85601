import { expect, test } from "vitest";
import { modelSettings } from "../../test/model-server.ts";
import { UserError } from "../shared/user-error.ts";
import { parseModelId } from "./model-id.ts";

const lab = { baseUrl: "http://localhost:8000/v1/", apiKeyEnv: "LAB_KEY" };

test.each([
  ["openai/gpt-4o", "openai/gpt-4o", "openai", "https://api.openai.com/v1"],
  ["anthropic/claude-x", "anthropic/claude-x", "anthropic", "https://api.anthropic.com/v1"],
  ["claude-x", "anthropic/claude-x", "anthropic", "https://api.anthropic.com/v1"],
  ["google/gemini-x", "google/gemini-x", "google", "https://generativelanguage.googleapis.com/v1beta"],
  ["gemini-x", "google/gemini-x", "google", "https://generativelanguage.googleapis.com/v1beta"],
  ["lab/meta-llama/llama-4", "lab/meta-llama/llama-4", "openai-compatible", "http://localhost:8000/v1"],
  ["gpt-4o", "gpt-4o", "openai", "https://api.openai.com/v1"],
  [" claudette ", "claudette", "openai", "https://api.openai.com/v1"],
])("%s is %s, spoken to as %s at %s", (written, id, protocol, baseUrl) => {
  const endpoint = parseModelId(written, modelSettings({ models: { lab } }));

  expect(endpoint).toMatchObject({ id, protocol, baseUrl });
});

test("a bare id goes to the llm endpoint, whatever it is", () => {
  const settings = modelSettings({ llm: { baseUrl: "http://127.0.0.1:11434/v1", apiKeyEnv: "MINE" } });

  expect(parseModelId("qwen3:8b", settings)).toMatchObject({
    id: "qwen3:8b",
    provider: "llm",
    protocol: "openai-compatible",
    baseUrl: "http://127.0.0.1:11434/v1",
    keyVariables: ["MINE"],
  });
});

test("the endpoint and the key of a known provider can be set", () => {
  const models = { anthropic: { baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: "MY_KEY" } };

  expect(parseModelId("claude-x", modelSettings({ models }))).toMatchObject({
    protocol: "anthropic",
    baseUrl: "http://127.0.0.1:9/v1",
    keyVariables: ["MY_KEY"],
  });
});

test("a price may stand under every name of the model", () => {
  expect(parseModelId("gpt-4o", modelSettings()).aliases).toEqual(["gpt-4o", "openai/gpt-4o"]);
  expect(parseModelId("claude-x", modelSettings()).aliases).toEqual(["anthropic/claude-x", "claude-x"]);
});

const mistakes: [string, string, object, object][] = [
  [
    "an unknown provider",
    "meta-llama/llama-4",
    {},
    { hint: expect.stringMatching(/models\.meta-llama\.baseUrl.*<provider>\/meta-llama\/llama-4/) },
  ],
  ["a misspelt provider", "antropic/claude-x", {}, { hint: "did you mean anthropic/claude-x?" }],
  ["the name of a prototype", "constructor/x", {}, {}],
  ["a provider without a model", "openai/", {}, {}],
  ["nothing", "", {}, { jsonPath: "$.llm.model" }],
  ["no endpoint", "openai-compatible/x", {}, { jsonPath: "$.models.openai-compatible.baseUrl" }],
  ["no endpoint under its name", "lab/x", { models: { lab: {} } }, { jsonPath: "$.models.lab.baseUrl" }],
  [
    "an endpoint under the name of the configured one, whose key it would get",
    "llm/x",
    { models: { llm: { baseUrl: "http://elsewhere/v1" } } },
    { jsonPath: "$.models.llm", hint: expect.stringContaining("another name") },
  ],
  [
    "an endpoint that is not an address",
    "x",
    { llm: { baseUrl: "localhost:80" } },
    { jsonPath: "$.llm.baseUrl" },
  ],
  ["a password in the address", "x", { llm: { baseUrl: "http://me:secret-word@h/v1" } }, {}],
  ["a key in the address", "x", { llm: { baseUrl: "http://h/v1?key=secret-word" } }, {}],
];

test.each(mistakes)("%s is a mistake the user can fix", (_name, id, settings, location) => {
  const mistake = mistakeIn(() => parseModelId(id, modelSettings(settings)));

  expect(mistake).toMatchObject({ code: "model-invalid", ...location });
  expect(`${mistake.message} ${mistake.hint}`).not.toContain("secret-word");
});

function mistakeIn(work: () => unknown): UserError {
  try {
    work();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error("this should have been refused");
}
