import { expect, test } from "vitest";
import { didYouMean, nearest, nearestBeginning, nearestSpelling } from "./nearest.ts";

const known = ["json", "markdown", "html", "csv", "junit"];
const table: [string, string | null][] = [
  ["jsno", "json"],
  ["JSON", "json"],
  ["markdwon", "markdown"],
  ["makdown", "markdown"],
  ["htm", "html"],
  ["cvs", "csv"],
  ["xml", null],
  ["completely-else", null],
  ["", null],
];
for (const [typed, meant] of table) {
  test(`${typed === "" ? "nothing" : typed} is near ${meant ?? "nothing known"}`, () => {
    expect(nearest(typed, known)).toBe(meant);
  });
}

const keys = ["minCompletionRate", "maxErrorRate", "inputSchema", "description", "tags", "id"];
const beginnings: [string, string | null][] = [
  ["minCompletion", "minCompletionRate"],
  ["MINCOMPLETION", "minCompletionRate"],
  ["input", "inputSchema"],
  ["description_of_it", "description"],
  ["inputSchemaVersion", "inputSchema"],
  // Four letters begin many words.
  ["maxE", null],
  ["desc", null],
  ["tagsOfIt", null],
  ["identity", null],
  // The same letters, but not at the beginning.
  ["rateOfCompletion", null],
  ["schemaOfInput", null],
];
for (const [typed, meant] of beginnings) {
  test(`${typed} begins like ${meant ?? "nothing known"}`, () => {
    expect(nearest(typed, keys)).toBe(meant);
  });
}

test("of words that begin alike the shortest way is meant, and none where two are as near", () => {
  const options = ["--benchmarks-dir", "--benchmark", "--allow-vacuous", "--allow-network"];

  expect(nearest("--bench", options)).toBe("--benchmark");
  expect(nearest("--allow", options)).toBe(null);
});

test("a typing mistake is nearer than a common beginning", () => {
  expect(nearest("timeout", ["timeoutOfTheRun", "timeouts"])).toBe("timeouts");
  expect(nearestSpelling("minCompletion", keys)).toBe(null);
  expect(nearestBeginning("tagz", keys)).toBe(null);
});

test("a hint names the nearest word, or all there are", () => {
  expect(didYouMean("jsno", known)).toBe("did you mean json?");
  expect(didYouMean("xyzzy", known)).toBe("known: json, markdown, html, csv, junit");
});
