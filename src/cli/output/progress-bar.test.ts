import fc from "fast-check";
import { expect, test } from "vitest";
import { cellAt } from "../../../test/builders/sample-run-events.ts";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { progressBar } from "./progress-bar.ts";
import { noProgress, type ProgressState } from "./progress-state.ts";

const halfway: ProgressState = {
  ...noProgress(),
  startedMs: 0,
  cells: 500,
  ended: { pass: 301, fail: 8, error: 2, timeout: 1, invalid: 0 },
  running: new Map([[7, { cell: cellAt(7, { subject: "weather_v2" }), sinceMs: 0 }]]),
};
const draw = (width: number, progress = halfway) =>
  progressBar(progress, { width, nowMs: 4_100, color: false });

test("the line shows bar, count, verdicts, rate, estimate and the slowest cell", () => {
  expect(draw(99)).toBe(
    "██████░░░░ 312/500  ✓ 301 ✗ 8 ! 3  76/s  ETA 2 s  slowest: weather_v2/task_007 #1 4.1 s",
  );
});

test("what does not fit is left out from the end, and a long name is cut before it goes", () => {
  expect(draw(82)).toBe("██████░░░░ 312/500  ✓ 301 ✗ 8 ! 3  76/s  ETA 2 s  slowest: weather_v2/ta… #1 4.1 s");
  expect(draw(50)).toBe("██████░░░░ 312/500  ✓ 301 ✗ 8 ! 3  76/s  ETA 2 s");
  expect(draw(40)).toBe("██████░░░░ 312/500  ✓ 301 ✗ 8 ! 3  76/s");
  expect(draw(20)).toBe("██████░░░░ 312/500");
  expect(draw(10)).toBe("312/500");
  expect(draw(4)).toBe("312…");
  expect(draw(0)).toBe("");
});

test("cells of an earlier process are counted apart from the verdicts of this one", () => {
  expect(draw(60, { ...halfway, alreadyDone: 88 })).toMatch(
    /^█{8}░░ 400\/500 {2}88 earlier {2}✓ 301 ✗ 8 ! 3 /,
  );
});

test("a wide terminal gets a longer bar", () => {
  expect(draw(120)).toMatch(/^█{12}░{8} 312/);
});

test("the bar is full only when every cell is done", () => {
  const almost = { ...halfway, ended: { ...halfway.ended, pass: 488 } };

  expect(draw(50, almost)).toMatch(/^█{9}░ 499\/500/);
  expect(draw(50, { ...almost, alreadyDone: 1 })).toMatch(/^█{10} 500\/500/);
});

test("invalid cells are shown as soon as there are any", () => {
  expect(draw(60, { ...halfway, ended: { ...halfway.ended, invalid: 2 } })).toContain("✓ 301 ✗ 8 ! 3 ? 2");
});

test("a cell that has only just begun is not called slow", () => {
  expect(progressBar(halfway, { width: 120, nowMs: 900, color: false })).not.toContain("slowest");
});

test("a run that has not begun has an empty bar", () => {
  expect(draw(60, { ...noProgress(), cells: 0 })).toBe("░░░░░░░░░░ 0/0  ✓ 0 ✗ 0 ! 0");
});

const state = fc.record({
  startedMs: fc.constant(0),
  cells: fc.nat(1_000_000),
  alreadyDone: fc.nat(1_000_000),
  ended: fc.record({
    pass: fc.nat(),
    fail: fc.nat(),
    error: fc.nat(),
    timeout: fc.nat(),
    invalid: fc.nat(9),
  }),
  running: fc
    .tuple(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...fewHostileTexts, "天气技能/非常慢的任务")),
      fc.nat(),
    )
    .map(([caseId, sinceMs]) => new Map([[1, { cell: cellAt(1, { caseId }), sinceMs }]])),
  state: fc.constant("running" as const),
});

test("fault row 36: whatever the state, one line of visible text that is never wider than the terminal", () => {
  fc.assert(
    fc.property(state, fc.nat(200), fc.nat(), (progress, width, nowMs) => {
      const line = progressBar(progress, { width, nowMs, color: false });

      expect(textWidth(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(hiddenCharacters);
    }),
  );
});

test("colour takes no columns", () => {
  fc.assert(
    fc.property(state, fc.nat(200), (progress, width) => {
      const colored = progressBar(progress, { width, nowMs: 5_000, color: true });

      // biome-ignore lint/suspicious/noControlCharactersInRegex: taking the colours away is its purpose
      expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(
        progressBar(progress, { width, nowMs: 5_000, color: false }),
      );
    }),
  );
});
