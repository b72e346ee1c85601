import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { loadStrategy } from "./strategy.ts";

async function load(text: string, name = "strategy.yaml") {
  await using folder = await temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return await loadStrategy(path, name);
}

test("the strategy of the reference is read from YAML and from JSON", async () => {
  const filters = {
    minCompletionRate: 0.8,
    maxErrorRate: 0.1,
    maxLatencyP95Ms: 5000,
    adapterTypes: ["http", "subprocess"],
    requiredTags: ["production-ready"],
  };
  const yaml = `filters: { minCompletionRate: 0.8, maxErrorRate: 0.1, maxLatencyP95Ms: 5000, adapterTypes: [http, subprocess], requiredTags: [production-ready] }
sortBy: compositeScore     # compositeScore | completionRate | latency | tokenCost
order: desc
topK: 5
`;
  const expected = { strategy: { filters, sortBy: "compositeScore", order: "desc", topK: 5 }, warnings: [] };

  expect(await load(yaml)).toEqual(expected);
  expect(await load(JSON.stringify(expected.strategy), "strategy.json")).toEqual(expected);
});

test.each([
  ["an empty file", ""],
  ["an empty map", "{}"],
  ["comments alone", "# nothing yet\n"],
])("%s demands nothing", async (_, text) => {
  expect(await load(text)).toEqual({ strategy: { filters: {}, sortBy: "compositeScore" }, warnings: [] });
});

test.each([
  ["filters: { minCompletonRate: 0.8 }", "$.filters.minCompletonRate", /is not known/],
  ["filter: {}", "$.filter", /is not known/],
  ["filters: { minCompletionRate: 80 }", "$.filters.minCompletionRate", /at most 1/],
  ["filters: { maxErrorRate: -0.1 }", "$.filters.maxErrorRate", /at least 0/],
  ["filters: { maxLatencyP95Ms: fast }", "$.filters.maxLatencyP95Ms", /must be a number/],
  ["filters: { adapterTypes: [htpp] }", "$.filters.adapterTypes[0]", /did you mean http\?/],
  ["filters: { adapterTypes: [] }", "$.filters.adapterTypes", /must not be empty/],
  ["sortBy: composite", "$.sortBy", /compositeScore/],
  ["order: down", "$.order", /asc/],
  ["topK: 0", "$.topK", /at least 1/],
  ["topK: 1.5", "$.topK", /whole number/],
])("%s is refused with file and path", async (text, jsonPath, message) => {
  await expect(load(text)).rejects.toMatchObject({
    code: "strategy-invalid",
    path: "strategy.yaml",
    jsonPath,
    message: expect.stringMatching(message),
  });
});

test("a key that is close to nothing is a warning", async () => {
  const { warnings } = await load("comment: for the web team\nfilters: { colour: blue }\n");

  expect(warnings).toEqual([
    "strategy.yaml: the key $.comment is not known and was ignored",
    "strategy.yaml: the key $.filters.colour is not known and was ignored",
  ]);
});

test.each([
  ["a list", "[1]", "strategy.yaml"],
  ["broken YAML", "filters: {", "strategy.yaml"],
  ["broken JSON", "{", "strategy.json"],
])("%s is not a strategy", async (_, text, name) => {
  await expect(load(text, name)).rejects.toMatchObject({ code: "strategy-invalid", path: name });
});
