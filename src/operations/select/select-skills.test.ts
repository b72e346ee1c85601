import { expect, test } from "vitest";
import { measured, unknownSkill } from "../../../test/measured-skill.ts";
import type { TokenCost } from "../../contract/figures.ts";
import type { StrategyFilters } from "../../contract/strategy.ts";
import { Strategy } from "../../contract/strategy.ts";
import { type Candidate, selectSkills } from "./select-skills.ts";

function candidate(skillId: string, more: Partial<Candidate> = {}): Candidate {
  return {
    skillId,
    skillVersion: "1.0.0",
    skillDigest: "sha256:5f1e",
    adapterType: "subprocess",
    tags: [],
    path: `skills/${skillId}/skill.json`,
    ...more,
  };
}

interface Figures {
  completionRate?: number;
  errorRate?: number;
  compositeScore?: number;
  p95Ms?: number;
  tokenCost?: TokenCost | null;
}

function report(skillId: string, { p95Ms = 100, tokenCost = null, ...rates }: Figures = {}) {
  return measured({ skillId, latency: { p95Ms }, tokenCost }, rates);
}

function select(figures: Record<string, Figures>, strategy: object = {}) {
  const names = Object.keys(figures);
  return selectSkills(
    names.map((name) => candidate(name)),
    names.map((name) => report(name, figures[name])),
    Strategy.parse(strategy),
  );
}

function order(figures: Record<string, Figures>, strategy: object) {
  return select(figures, strategy).selected.map(({ skillId, sortValue }) => [skillId, sortValue]);
}

function tokens(totalTokens: number, estimatedUSD: number | null = null): Figures {
  return { tokenCost: { promptTokens: totalTokens, completionTokens: 0, totalTokens, estimatedUSD } };
}

test("the document of the reference comes out of its numbers", () => {
  const reports = [
    report("weather_v2", { completionRate: 11 / 12, errorRate: 0, compositeScore: 0.95046, p95Ms: 1180 }),
    report("weather_v1", { completionRate: 0.625 }),
  ].map((found) => ({ ...found, skillVersion: "2.1.0" }));
  const candidates = [candidate("weather_v1"), candidate("weather_v2")].map((found) => ({
    ...found,
    skillVersion: "2.1.0",
  }));
  const strategy = Strategy.parse({ filters: { minCompletionRate: 0.8 }, topK: 2 });

  expect(selectSkills(candidates, reports, strategy)).toEqual({
    strategy: { filters: { minCompletionRate: 0.8 }, sortBy: "compositeScore", order: "desc", topK: 2 },
    selected: [
      {
        rank: 1,
        skillId: "weather_v2",
        skillVersion: "2.1.0",
        path: "skills/weather_v2/skill.json",
        sortValue: 0.9505,
        stale: false,
        metrics: {
          completionRate: 0.9167,
          errorRate: 0,
          latencyP95Ms: 1180,
          compositeScore: 0.9505,
          tokenCost: null,
        },
      },
    ],
    rejected: [{ skillId: "weather_v1", reasons: ["completionRate 0.625 < 0.8"] }],
  });
});

test("without a strategy nothing is filtered, and the best composite comes first", () => {
  const { strategy, selected, rejected } = select({ a: { compositeScore: 0.2 }, b: { compositeScore: 0.9 } });

  expect(strategy).toEqual({ filters: {}, sortBy: "compositeScore", order: "desc", topK: null });
  expect(selected.map(({ rank, skillId }) => [rank, skillId])).toEqual([
    [1, "b"],
    [2, "a"],
  ]);
  expect(rejected).toEqual([]);
});

test.each<[string, StrategyFilters, string[]]>([
  ["completion", { minCompletionRate: 0.8 }, ["completionRate 0.5 < 0.8"]],
  ["error rate", { maxErrorRate: 0.1 }, ["errorRate 0.3333 > 0.1"]],
  ["p95", { maxLatencyP95Ms: 500 }, ["latencyP95Ms 612.5 > 500"]],
  ["adapter", { adapterTypes: ["http", "mcp"] }, ["adapterType subprocess is not http or mcp"]],
  ["tags", { requiredTags: ["Web", "stable", "fast"] }, ["tag stable is missing", "tag fast is missing"]],
  [
    "several",
    { minCompletionRate: 0.8, maxErrorRate: 0 },
    ["completionRate 0.5 < 0.8", "errorRate 0.3333 > 0"],
  ],
])("a skill stopped by %s says so", (_, filters, reasons) => {
  const figures = { completionRate: 0.5, errorRate: 1 / 3, p95Ms: 612.5 };
  const skill = candidate("slow", { tags: ["web"] });

  expect(selectSkills([skill], [report("slow", figures)], Strategy.parse({ filters }))).toMatchObject({
    selected: [],
    rejected: [{ skillId: "slow", reasons }],
  });
});

test("a skill that is exactly on the line passes, and one just below is not shown as equal", () => {
  const filters = { minCompletionRate: 0.8 };

  expect(select({ a: { completionRate: 0.8 } }, { filters }).selected).toHaveLength(1);
  expect(select({ a: { completionRate: 0.79999 } }, { filters }).rejected[0]?.reasons).toEqual([
    "completionRate 0.79999 < 0.8",
  ]);
});

test("what is not known does not pass a filter, and comes last where there is none", () => {
  const candidates = [candidate("a"), candidate("b")];
  const reports = [unknownSkill("a"), report("b", { compositeScore: 0.1 })];
  const choose = (filters: StrategyFilters) => selectSkills(candidates, reports, Strategy.parse({ filters }));

  expect(choose({ minCompletionRate: 0, maxLatencyP95Ms: 10_000 }).rejected).toEqual([
    { skillId: "a", reasons: ["completionRate is unknown", "latencyP95Ms is unknown"] },
  ]);
  expect(choose({}).selected.map(({ skillId, sortValue }) => [skillId, sortValue])).toEqual([
    ["b", 0.1],
    ["a", null],
  ]);
});

test("a candidate without report is rejected with that reason, and a report without candidate changes nothing", () => {
  expect(selectSkills([candidate("a")], [report("b")], Strategy.parse({}))).toMatchObject({
    selected: [],
    rejected: [{ skillId: "a", reasons: ["no report"] }],
  });
});

test("a skill below the top K is rejected with its rank", () => {
  const figures = { a: { compositeScore: 0.7 }, b: { compositeScore: 0.9 }, c: { compositeScore: 0.8 } };

  expect(select(figures, { topK: 1 })).toMatchObject({
    selected: [{ skillId: "b" }],
    rejected: [
      { skillId: "a", reasons: ["rank 3 > topK 1"] },
      { skillId: "c", reasons: ["rank 2 > topK 1"] },
    ],
  });
});

test.each([
  ["compositeScore", "desc", ["a", "b"]],
  ["completionRate", "desc", ["b", "a"]],
  ["latency", "asc", ["b", "a"]],
  ["tokenCost", "asc", ["a", "b"]],
])("%s is ordered %s by default", (sortBy, defaultOrder, names) => {
  const figures = {
    a: { compositeScore: 0.9, completionRate: 0.5, p95Ms: 200, ...tokens(10) },
    b: { compositeScore: 0.8, completionRate: 0.6, p95Ms: 100, ...tokens(20) },
  };
  const other = defaultOrder === "asc" ? "desc" : "asc";

  expect(select(figures, { sortBy }).strategy.order).toBe(defaultOrder);
  expect(order(figures, { sortBy }).map(([name]) => name)).toEqual(names);
  expect(order(figures, { sortBy, order: other }).map(([name]) => name)).toEqual(names.toReversed());
});

test("ties go by composite, then by id", () => {
  const figures = {
    d: { completionRate: 1, compositeScore: 0.9 },
    c: { completionRate: 1, compositeScore: 0.9 },
    b: { completionRate: 1, compositeScore: 0.95 },
    a: { completionRate: 0.5, compositeScore: 1 },
  };

  expect(order(figures, { sortBy: "completionRate" }).map(([name]) => name)).toEqual(["b", "c", "d", "a"]);
  expect(order(figures, { sortBy: "completionRate", order: "asc" }).map(([name]) => name)).toEqual([
    "a",
    "b",
    "c",
    "d",
  ]);
});

test("ranks use full precision, also where the written numbers are equal", () => {
  expect(order({ a: { compositeScore: 0.90001 }, b: { compositeScore: 0.90002 } }, {})).toEqual([
    ["b", 0.9],
    ["a", 0.9],
  ]);
});

test("token cost is compared in dollars where all are priced, else in tokens", () => {
  const priced = { a: tokens(100, 0.5), b: tokens(900, 0.1), none: {} };
  const mixed = { a: tokens(100, 0.5), b: tokens(900), none: {} };

  expect(order(priced, { sortBy: "tokenCost" })).toEqual([
    ["b", 0.1],
    ["a", 0.5],
    ["none", null],
  ]);
  expect(order(mixed, { sortBy: "tokenCost" })).toEqual([
    ["a", 100],
    ["b", 900],
    ["none", null],
  ]);
});

test("skills without token data are last under tokenCost, whichever way the others go", () => {
  const figures = { none: { compositeScore: 1 }, a: tokens(100), b: tokens(900) };

  expect(order(figures, { sortBy: "tokenCost", order: "desc" }).map(([name]) => name)).toEqual([
    "b",
    "a",
    "none",
  ]);
});

test.each([
  ["another digest", { skillDigest: "sha256:other" }, true],
  ["another version", { skillVersion: "1.0.1" }, true],
  ["both the same", {}, false],
])("with %s stale is reported", (_, now, stale) => {
  const { selected } = selectSkills([candidate("a", now)], [report("a")], Strategy.parse({}));

  expect(selected[0]?.stale).toBe(stale);
});

test("one stale report among several benchmarks makes the skill stale; a report that names no digest does not", () => {
  const fresh = { ...report("a"), benchmarkId: "one" };
  const choose = (other: object) =>
    selectSkills(
      [candidate("a")],
      [fresh, { ...report("a"), benchmarkId: "two", ...other }],
      Strategy.parse({}),
    ).selected[0]?.stale;

  expect(choose({ skillDigest: "sha256:other" })).toBe(true);
  expect(choose({ skillDigest: "", skillVersion: "" })).toBe(false);
});
