import { expect, test } from "vitest";
import { sampleQuery } from "../src/reporters/sample-trigger-query.ts";
import { chooseQueries, everyQuery, type QueryChoice } from "./choose-queries.ts";

const queries = [
  sampleQuery({ query: "query 10", answers: "YYYYYYYY" }),
  sampleQuery({ query: "query 9", answers: "NNNNNNNN", tags: ["hard"], reason: "Nothing about money." }),
  sampleQuery({ query: "split", answers: "YYNNYNYN", skillId: "slides" }),
  sampleQuery({ query: "prose", answers: "????????", side: "should_not_match" }),
];

function chosen(given: Partial<QueryChoice>): string[] {
  return chooseQueries(queries, { ...everyQuery, ...given }).places.map(
    (place) => queries[place]?.query ?? "",
  );
}

test("what failed comes first, a judge without usable answer among it, then what is open", () => {
  expect(chosen({})).toEqual(["query 9", "prose", "split", "query 10"]);
});

test("queries are found by words, skill, side, tag and standing", () => {
  expect(chosen({ text: "MONEY nothing" })).toEqual(["query 9"]);
  expect(chosen({ text: "depends" })).toEqual(["prose"]);
  expect(chosen({ skillId: "slides" })).toEqual(["split"]);
  expect(chosen({ side: "should_not_match" })).toEqual(["prose"]);
  expect(chosen({ tag: "hard" })).toEqual(["query 9"]);
  expect(chosen({ standings: ["inconclusive", "passed"] })).toEqual(["split", "query 10"]);
});

test("counts tell what the other conditions let through", () => {
  const { counts } = chooseQueries(queries, { ...everyQuery, standings: ["passed"], skillId: "refactor" });
  expect(counts).toEqual({ failed: 2, inconclusive: 0, passed: 1 });
});

test("each column sorts, numbers in texts as numbers, and an unknown rate is last either way", () => {
  const by = (by: QueryChoice["order"]["by"], isDescending = false) =>
    chosen({ order: { by, isDescending } });

  expect(by("query")).toEqual(["prose", "query 9", "query 10", "split"]);
  expect(by("skill", true)[0]).toBe("split");
  expect(by("side", true)[0]).toBe("prose");
  expect(by("rate")).toEqual(["query 9", "split", "query 10", "prose"]);
  expect(by("rate", true)).toEqual(["query 10", "split", "query 9", "prose"]);
});
