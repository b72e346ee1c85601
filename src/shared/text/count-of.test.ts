import { expect, test } from "vitest";
import { countOf } from "./phrases.ts";

test("one thing has no plural", () => {
  expect([countOf(1, "cell"), countOf(0, "cell"), countOf(2, "cell")]).toEqual([
    "1 cell",
    "0 cells",
    "2 cells",
  ]);
});

test("a word with a plural of its own", () => {
  expect([countOf(1, "query", "queries"), countOf(2, "query", "queries")]).toEqual(["1 query", "2 queries"]);
});
