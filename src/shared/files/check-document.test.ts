import { describe, expect, test } from "vitest";
import { Benchmark } from "../../contract/benchmark.ts";
import { Config } from "../../contract/config.ts";
import { Strategy } from "../../contract/strategy.ts";
import { SkillManifest } from "../../contract/unit-skill.ts";
import { dropUnknownKeys, knownKeys } from "../json/known-keys.ts";
import { checkUnknownKeys } from "./check-document.ts";

const document = { path: "b.json", code: "benchmark-invalid" } as const;

describe("keys nobody reads", () => {
  test("a key close to a known one is an error with file, path and the nearest key", () => {
    const value = { tasks: [{ id: "a" }, { expectedOutput: { keyword: ["x"] } }] };
    expect(() => checkUnknownKeys(value, knownKeys(Benchmark), document)).toThrow(
      expect.objectContaining({
        code: "benchmark-invalid",
        path: "b.json",
        jsonPath: "$.tasks[1].expectedOutput.keyword",
        hint: "did you mean keywords?",
      }),
    );
  });

  test("a key that stops too early or goes on too long is an error too", () => {
    const strategy = { path: "s.yaml", code: "strategy-invalid" } as const;
    const check = (filters: object) => checkUnknownKeys({ filters }, knownKeys(Strategy), strategy);
    expect(() => check({ minCompletion: 0.5 })).toThrow(
      expect.objectContaining({
        jsonPath: "$.filters.minCompletion",
        hint: "did you mean minCompletionRate?",
      }),
    );
    expect(() => check({ requiredTagsOfSkill: [] })).toThrow(
      expect.objectContaining({ hint: "did you mean requiredTags?" }),
    );
  });

  test("a key beside the one it begins like is an addition, and a misspelt one is not", () => {
    const known = knownKeys(SkillManifest);
    const value = {
      description: "Adds",
      descriptionInFrench: "Additionne",
      adapterType: "http",
      adapter: {},
    };
    expect(checkUnknownKeys(value, known, document)).toEqual([
      "b.json: the key $.descriptionInFrench is not known and was ignored",
      "b.json: the key $.adapter is not known and was ignored",
    ]);
    expect(() => checkUnknownKeys({ version: "1", versions: "2" }, known, document)).toThrow();
  });

  test("any other key is a warning with file and path", () => {
    const value = { id: "a", "my notes": 1, tasks: [{ owner: "me" }] };
    expect(checkUnknownKeys(value, knownKeys(Benchmark), document)).toEqual([
      'b.json: the key $["my notes"] is not known and was ignored',
      "b.json: the key $.tasks[0].owner is not known and was ignored",
    ]);
  });

  test("a file may name its schema for editors, at its top only", () => {
    const value = { $schema: "./skill.schema.json", tasks: [{ $schema: "x" }] };
    expect(checkUnknownKeys(value, knownKeys(Benchmark), document)).toEqual([
      "b.json: the key $.tasks[0].$schema is not known and was ignored",
    ]);
  });

  test("metadata, schemas and input are open", () => {
    const skill = { metadata: { licence: 1 }, inputSchema: { typ: "object" } };
    expect(checkUnknownKeys(skill, knownKeys(SkillManifest), document)).toEqual([]);
    const benchmark = { metadata: { x: 1 }, tasks: [{ inputData: { timeoutM: 1 } }] };
    expect(checkUnknownKeys(benchmark, knownKeys(Benchmark), document)).toEqual([]);
  });

  test("names in a record are free, the keys below them are not", () => {
    const value = { models: { "my.lab": { baseUrl: "x" } }, prices: { "gpt-4.1": { inputPerMTk: 1 } } };
    expect(() => checkUnknownKeys(value, knownKeys(Config), document)).toThrow(
      expect.objectContaining({
        jsonPath: '$.prices["gpt-4.1"].inputPerMTk',
        hint: "did you mean inputPerMTok?",
      }),
    );
  });

  test("unknown keys can be dropped, and the original stays", () => {
    const value = { concurrency: 2, notes: "x", llm: { model: "m", colour: "red" } };
    expect(dropUnknownKeys(value, knownKeys(Config))).toEqual({ concurrency: 2, llm: { model: "m" } });
    expect(value.notes).toBe("x");
  });

  test("fault row 41: a key that reaches into prototypes is an error where keys are listed", () => {
    const value = JSON.parse('{"__proto__": {"concurrency": 1}}');
    expect(() => checkUnknownKeys(value, knownKeys(Config), document)).toThrow(
      /\$\.__proto__ is not allowed/,
    );
  });
});
