import { expect, test } from "vitest";
import { pluralize } from "./phrases.ts";

test("one thing has no plural", () => {
  expect([pluralize(1, "cell"), pluralize(0, "cell"), pluralize(2, "cell")]).toEqual([
    "1 cell",
    "0 cells",
    "2 cells",
  ]);
});

test("a word with a plural of its own", () => {
  expect([pluralize(1, "query", "queries"), pluralize(2, "query", "queries")]).toEqual([
    "1 query",
    "2 queries",
  ]);
});
