import { describe, expect, test } from "vitest";
import { findConfigKey, parseConfigValue } from "./config-keys.ts";

const read = (key: string, text: string) => parseConfigValue(findConfigKey(key), text);

describe("dotted keys of the configuration", () => {
  test.each([
    ["concurrency", "8", 8],
    ["llm.model", "gpt-4o", "gpt-4o"],
    ["llm.model", "4", "4"],
    ["llm.temperature", "0", 0],
    ["llm.apiKeyEnv", "null", null],
    ["telemetry.otlp.enabled", "true", true],
    ["defaultFormats", "json,markdown", ["json", "markdown"]],
    ["defaultFormats", '["html"]', ["html"]],
    ["skills.roots", '["a","b"]', ["a", "b"]],
    ["sandbox.floor", "strict", "strict"],
    ["router.embedding", "local", "local"],
    ["models.my.lab.baseUrl", "http://x", "http://x"],
    ["prices.openai/gpt-4.1", '{"inputPerMTok":2,"outputPerMTok":8}', { inputPerMTok: 2, outputPerMTok: 8 }],
    ["agent.interpreters..py", "python3.12", "python3.12"],
  ])("%s takes %s", (key, text, value) => {
    expect(read(key, text)).toEqual(value);
  });

  test("dots inside the name of a model are no steps", () => {
    expect(findConfigKey("prices.openai/gpt-4.1.inputPerMTok").path).toEqual([
      "prices",
      "openai/gpt-4.1",
      "inputPerMTok",
    ]);
  });

  test.each([
    ["concurrency", "0", /must be at least 1/],
    ["concurrency", "2000", /must be at most 1024/],
    ["concurrency", "4x", /must be a number/],
    ["concurrency", "1.5", /must be a whole number/],
    ["concurrency", "NaN", /must be a number/],
    ["concurrency", "", /must be a number/],
    ["store", "", /must not be empty/],
    ["defaultFormats", "json,htm", /defaultFormats\[1\] may not be "htm": did you mean html\?/],
    [
      "sandbox.floor",
      "off",
      /^invalid value "off" for sandbox.floor: it may not be "off": known: reduced, strict$/,
    ],
    ["telemetry.otlp.enabled", "yes", /must be true or false/],
    ["llm", "{}", /is a group of keys/],
  ])("%s does not take %j", (key, text, message) => {
    expect(() => read(key, text)).toThrow(message);
  });

  test.each([
    ["concurency", "did you mean concurrency?"],
    ["llm.modle", "did you mean llm.model?"],
  ])("%s is not known, and the nearest is named", (key, hint) => {
    expect(() => findConfigKey(key)).toThrow(expect.objectContaining({ code: "usage", hint }));
  });

  test.each(["concurrency.x", "", "llm.", "models.", "agent.interpreters."])("%j is not a key", (key) => {
    expect(() => read(key, "x")).toThrow(expect.objectContaining({ code: "usage" }));
  });

  test.each([
    "models.__proto__.baseUrl",
    "models.constructor",
    "llm.__proto__.x",
    "agent.interpreters.__proto__",
  ])("fault row 41: %s is refused", (key) => {
    expect(() => findConfigKey(key)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
