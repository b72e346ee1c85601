import { expect, test } from "vitest";
import { textWidth } from "../text/text-width.ts";
import { historyLines } from "./history-lines.ts";
import type { HistoryRow } from "./history-row.ts";

const row: HistoryRow = {
  runId: "20260301T072410Z-k3f9",
  finishedAt: "2026-03-01T07:24:31.007Z",
  level: "unit",
  suite: "coding-easy",
  subject: "my_calc",
  skillVersion: "1.0.0",
  trials: 3,
  rate: 0.95,
  partialScore: 0.95,
  errorRate: 0.0167,
  latencyP95Ms: 412,
  compositeScore: 0.9673,
  deltaRate: -0.05,
  hasNewCases: false,
};
const rows = [row, { ...row, subject: "天气", deltaRate: 0 }, { ...row, deltaRate: null, trials: 1 }];
const trends = [
  { subject: "my_calc", suite: "coding-easy", isOver: false, rates: [0.9, 1, 0.95] },
  { subject: "天气", suite: "coding-easy", isOver: false, rates: [0.95] },
];
const layout = { color: false, width: null, isUnicode: true };

test("a line per run, and a drawing for each pair with more than one", () => {
  expect(historyLines(rows, trends, layout).split("\n")).toEqual([
    "Finished (UTC)    Skill    Version  Benchmark    Runs  Completion  Change  Errors     P95   Score  Run",
    "2026-03-01 07:24  my_calc  1.0.0    coding-easy     3       95.0%   ▼ 5.0    1.7%  412 ms  0.9673  20260301T072410Z-k3f9",
    "2026-03-01 07:24  天气     1.0.0    coding-easy     3       95.0%       =    1.7%  412 ms  0.9673  20260301T072410Z-k3f9",
    "2026-03-01 07:24  my_calc  1.0.0    coding-easy     1       95.0%       –    1.7%  412 ms  0.9673  20260301T072410Z-k3f9",
    "",
    "my_calc on coding-easy  ▅█▇  90.0% → 95.0%  lowest 90.0%, highest 100.0%, 3 runs",
  ]);
});

test("a terminal without UTF-8 gets ASCII only", () => {
  const ascii = historyLines([row, { ...row, deltaRate: null }], trends, { ...layout, isUnicode: false });

  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is
  expect(ascii).toMatch(/^[\x00-\x7f]*$/);
  expect(ascii).toContain("- 5.0");
  expect(ascii).toContain("=#*  90.0% -> 95.0%");
});

test.each([60, 80, 100])("the table fits into %i columns", (width) => {
  const [table = ""] = historyLines(rows, [], { ...layout, width }).split("\n\n");

  for (const line of table.split("\n")) expect(textWidth(line)).toBeLessThanOrEqual(width);
  expect(table).toContain("Completion");
});

test("a change has no colour, for nothing says that it is more than noise", () => {
  const better = { ...row, deltaRate: 0.083 };
  const colored = historyLines([row, better], [], { ...layout, color: true });

  expect(colored).toContain("\u001b[1m");
  for (const paint of ["\u001b[31m", "\u001b[32m"]) expect(colored).not.toContain(paint);
});

test("columns that found no room are named below the table", () => {
  const lastLine = (width: number | null) =>
    historyLines(rows, [], { ...layout, width })
      .split("\n")
      .at(-1);

  expect(lastLine(80)).toBe("left out: P95, Score, Run; see --json");
  expect(lastLine(50)).toMatch(/^left out: Version, Runs, Errors, P95, Score, Run;/);
  expect(lastLine(140)).toMatch(/^2026-03-01/);
  expect(lastLine(null)).toMatch(/^2026-03-01/);
});

test("text of strangers cannot move the cursor", () => {
  const hostile = { ...row, subject: "\u001b[2Jx", suite: "a\nb", skillVersion: "\u202e" };

  const text = historyLines([hostile], [{ ...hostile, isOver: false, rates: [1, 0] }], layout);

  expect(text).not.toContain("\u001b");
  expect(text).not.toContain("\u202e");
  expect(text.split("\n")).toHaveLength(4);
});

test("where the cases changed, no change of the rate is shown, and the earlier series has a line of its own", () => {
  const earlier = { subject: "my_calc", suite: "coding-easy", isOver: true, rates: [0.5, 0.6] };
  const text = historyLines([{ ...row, deltaRate: null, hasNewCases: true }], [...trends, earlier], layout);

  expect(text).toMatch(/95\.0% {2}new cases /);
  expect(text).toContain("my_calc on coding-easy, earlier cases");
});
