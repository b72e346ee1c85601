import { expect, test } from "vitest";
import type { SelectedSkill, Selection } from "../../operations/select/selection.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { selectionTable } from "./selection-table.ts";

const strategy: Selection["strategy"] = { filters: {}, sortBy: "compositeScore", order: "desc", topK: null };

function chosen(rank: number, skillId: string, stale = false): SelectedSkill {
  return {
    rank,
    skillId,
    skillVersion: "1.0.0",
    path: `skills/${skillId}/skill.json`,
    sortValue: 0.9505,
    stale,
    metrics: {
      completionRate: 0.9167,
      errorRate: 0,
      latencyP95Ms: 1180,
      compositeScore: 0.9505,
      tokenCost: null,
    },
  };
}

test("the chosen are in a table, and below it is why the others are not", () => {
  const rejected = [
    { skillId: "weather_v1", reasons: ["completionRate 0.625 < 0.8", "errorRate 0.25 > 0.1"] },
    { skillId: "tide", reasons: ["no report"] },
  ];

  expect(
    selectionTable(
      { strategy, selected: [chosen(1, "weather_v2"), chosen(2, "sun", true)], rejected },
      false,
    ),
  ).toBe(`Rank  Skill ID     Completion  Error Rate    P95   Score
   1  weather_v2        91.7%        0.0%  1.2 s  0.9505
   2  sun (stale)       91.7%        0.0%  1.2 s  0.9505

Rejected
  weather_v1  completionRate 0.625 < 0.8, errorRate 0.25 > 0.1
  tide        no report
`);
});

test("a selection of nothing says so instead of showing an empty table", () => {
  const rejected = [{ skillId: "tide", reasons: ["no report"] }];

  expect(selectionTable({ strategy, selected: [], rejected }, false)).toBe(
    "nothing selected\n\nRejected\n  tide  no report\n",
  );
});

test("unknown figures are a dash", () => {
  const metrics = {
    completionRate: null,
    errorRate: null,
    latencyP95Ms: null,
    compositeScore: null,
    tokenCost: null,
  };

  expect(
    selectionTable({ strategy, selected: [{ ...chosen(1, "x"), metrics }], rejected: [] }, false),
  ).toContain("   1  x                  –           –    –      –\n");
});

test("hostile ids stay text, take one line and keep the columns in place", () => {
  const hostile = [
    "\u001b[31mred\u001b[0m",
    "a\nb",
    "\u202eevil",
    "天气",
    "<img onerror>|=cmd()]]>",
    "x".repeat(500),
  ];
  const table = selectionTable(
    {
      strategy,
      selected: hostile.map((id, at) => chosen(at + 1, id)),
      rejected: [{ skillId: "\u001b]8;;http://x\u0007", reasons: ["tag \u001b[2J is missing"] }],
    },
    false,
  );
  const [head = "", ...rows] = (table.split("\n\n")[0] ?? "").split("\n");

  for (const char of ["\u001b", "\u0007", "\u202e"]) expect(table).not.toContain(char);
  expect(rows).toHaveLength(hostile.length);
  for (const row of rows) expect(textWidth(row)).toBe(textWidth(head));
  expect(table).toContain("<img onerror>|=cmd()]]>");
});

test("colour is only in the head and the rejected part, and only where asked for", () => {
  const selection = {
    strategy,
    selected: [chosen(1, "a")],
    rejected: [{ skillId: "b", reasons: ["no report"] }],
  };

  expect(selectionTable(selection, true)).toContain("\u001b[1mRank");
  expect(selectionTable(selection, false)).not.toContain("\u001b");
});
