import { describe, expect, test } from "vitest";
import { catalogJudge, modelJudge, type SampleQuery, sampleQuery } from "../../../../test/sample-query.ts";
import { compareQueries } from "./compare-queries.ts";
import { compareSkills } from "./compare-skills.ts";
import { movedQueries } from "./moved-queries.ts";
import { isAboveNoise, measureFlipRate } from "./own-noise.ts";

type Given = Pick<SampleQuery, "skillId" | "side" | "belongsTo" | "query">;
type Answers = SampleQuery["answers"];

const ask = (given: Given, answers: Answers) =>
  sampleQuery({ ...given, answers, judge: typeof answers === "string" ? modelJudge : catalogJudge });

function compare(rows: readonly [Given, Answers, Answers][], skills = ["a", "b", "c"]) {
  return compareQueries({
    before: rows.map(([given, before]) => ask(given, before)),
    after: rows.map(([given, , after]) => ask(given, after)),
    resolveId: (name) => (name === "old-b" ? "b" : name),
    isThere: (id) => skills.includes(id),
    isDropped: () => false,
    explainChoice: () => null,
  });
}

const mine: Given = { query: "q", skillId: "a", side: "should_match" };
const owned: Given = { query: "q", skillId: "a", side: "should_not_match", belongsTo: "old-b" };
const nobodys: Given = { query: "q", skillId: "a", side: "should_not_match" };

describe("what became of a query", () => {
  test.each<[string, Given, Answers, Answers, string]>([
    ["chosen before and after", mine, ["a"], ["a"], "kept"],
    ["chosen only now", mine, ["b"], ["a"], "gained"],
    ["another chosen now", mine, ["a"], ["b"], "moved"],
    ["nobody chosen now", mine, ["a"], [null], "lost"],
    ["never chosen", mine, ["b"], ["c"], "still-wrong"],
    ["no answer now", mine, ["a"], "E", "unknown"],
    ["no answer before", mine, "?", ["a"], "unknown"],
    ["the owner of a negative chosen twice", owned, ["b"], ["b"], "kept"],
    ["taken from the owner of a negative", owned, ["b"], ["a"], "moved"],
    ["a negative of nobody left alone", nobodys, [null], ["c"], "kept"],
    ["a negative of nobody taken", nobodys, [null], ["a"], "lost"],
    ["a negative of nobody given up", nobodys, ["a"], ["c"], "gained"],
    ["one card: yes, then no", mine, "Y", "N", "lost"],
    ["one card: no, then yes", mine, "N", "Y", "gained"],
    ["one card: a negative of another taken", owned, "N", "Y", "lost"],
    ["one card: most answers decide", mine, "YYYYYYYN", "YYYYYNNN", "kept"],
  ])("%s", (_, given, before, after, change) => {
    expect(compare([[given, before, after]])[0]?.change).toBe(change);
  });
});

test("a request that two skills say is meant for a third counts once, and one for a skill that is gone not at all", () => {
  const rows: [Given, Answers, Answers][] = [
    [{ ...owned, skillId: "c" }, ["b"], ["a"]],
    [owned, ["b"], ["a"]],
    [{ query: "Q ", skillId: "b", side: "should_match" }, ["b"], ["a"]],
    [{ ...owned, belongsTo: "gone" }, ["gone"], ["a"]],
  ];

  expect(compare(rows)).toMatchObject([{ skillId: "b", meantFor: "b", change: "moved" }]);
});

const facts = {
  isEdited: (id: string) => id === "b",
  isAdded: (id: string) => id === "c",
  flipRateOf: () => null,
};
const many = (count: number, before: Answers, after: Answers, skillId = "a") =>
  Array.from({ length: count }, (_, n): [Given, Answers, Answers] => [
    { ...mine, skillId, query: `${skillId}${n}${JSON.stringify(after)}` },
    before,
    after,
  ]);

test("pairs between which queries moved are reported in a sentence, the worst first", () => {
  const queries = compare([
    ...many(1, ["a"], ["c"]),
    ...many(3, ["a"], ["b"]),
    ...many(36, ["a"], ["a"]),
    ...many(1, ["b"], ["a"], "b"),
  ]);

  expect(movedQueries(queries, facts).map(({ sentence }) => sentence)).toEqual([
    "the edit of `b` took 3 of 40 queries of `a`",
    "`a` took 1 of 1 query of `b`, which was edited",
    "the new skill `c` took 1 of 40 queries of `a`",
  ]);
});

test("skills are better, worse or the same, the worst first", () => {
  const queries = compare([
    ...many(2, ["a"], ["b"]),
    ...many(3, ["b"], ["b"], "b"),
    ...many(1, [null], ["c"], "c"),
    [{ ...nobodys, query: "x" }, [null], ["a"]],
  ]);

  expect(compareSkills(queries, facts)).toMatchObject([
    {
      skillId: "a",
      gained: 0,
      lost: 3,
      mcnemarP: 0.25,
      verdict: "worse",
      leftAlone: { after: { count: 0, of: 1 } },
    },
    { skillId: "b", isEdited: true, verdict: "same", mcnemarP: 1 },
    { skillId: "c", gained: 1, verdict: "better", recall: { before: { rate: 0 }, after: { rate: 1 } } },
  ]);
});

test("a judge flips where it is right once and wrong once; what got no answer is left out", () => {
  const lines = (answers: readonly Answers[]) =>
    answers.map((answer, n) => ask({ ...mine, query: `q${n}` }, answer));
  const id = (name: string) => name;
  const once = lines([["a"], ["a"], ["b"], ["a"], "E"]);
  const again = lines([["a"], ["b"], ["c"], "E", ["a"]]);

  expect(measureFlipRate(once, again, id)).toMatchObject({ count: 1, of: 3 });
  expect(measureFlipRate(once, [], id)).toBeNull();
});

test.each([
  [1, 40, null, true],
  [0, 40, null, false],
  // Never seen to flip in 40 is up to 9 in 100, in 5 up to 43; 4 of 40 are up to 23 in 100.
  [2, 8, [0, 40], false],
  [3, 8, [0, 40], true],
  [6, 8, [0, 5], false],
  [8, 8, [0, 5], true],
  [4, 8, [4, 40], false],
  [5, 8, [4, 40], true],
  [8, 8, [0, 0], false],
] as const)("%i of %i changes beside a flip rate of %j: above it %s", (changes, of, flips, isAbove) => {
  const rate = flips && {
    count: flips[0],
    of: flips[1],
    rate: flips[1] === 0 ? null : flips[0] / flips[1],
    interval: null,
  };

  expect(isAboveNoise(changes, of, rate)).toBe(isAbove);
});
