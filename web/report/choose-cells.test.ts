import { expect, test } from "vitest";
import type { PageCell, PageData } from "../../src/report/view/page-document.ts";
import { chooseCells } from "./choose-cells.ts";
import { firstState, type PageState } from "./page-state.ts";
import { readReport } from "./read-report.ts";

const counts = { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
const subject = {
  suite: 0,
  tally: { passed: 0, failed: 0, unknown: 0 },
  counts,
  trials: 2,
  facts: [],
  blocks: [],
};
const one = { suite: 0, title: null, input: "ask", expected: null, isShortened: false, isOwn: false };

function cell(
  at: number,
  status: PageCell[3],
  given: { reason?: string; ms?: number; values?: PageCell[10]; attempts?: number; subject?: number } = {},
): PageCell {
  const { reason = "", ms = 10, values = [null], attempts = 1, subject = 0 } = given;
  return [subject, at, 1, status, attempts, null, ms, null, `key${subject}${at}`, reason, values, []];
}

const data: PageData = {
  verdict: { state: "failed", words: "", reasons: [] },
  run: { id: "", command: "", tool: "", startedAt: "", finishedAt: "" },
  ...{ facts: [], gates: [], warnings: [], skipped: [], sections: [], cellsInAll: null },
  suites: [
    {
      ...{ id: "s", level: "l", caseNouns: ["case", "cases"], subjectNoun: "skill" },
      columns: [{ id: "turns", label: "Turns", isFilter: true }],
    },
  ],
  subjects: [
    { ...subject, name: "tested", shortName: "tested", state: "failed", verdicts: [] },
    { ...subject, name: "baseline", shortName: "baseline", state: "reference", verdicts: [] },
  ],
  cases: ["task_2", "task_10", "hangs", "retried"].map((id) => ({
    ...one,
    id,
    name: id,
    tags: id === "hangs" ? ["slow"] : [],
  })),
  cells: [
    cell(0, "pass", { ms: 30, values: [2] }),
    cell(1, "fail", { reason: "Expected 50, got 51", ms: 20, values: [[3, "bad"]] }),
    cell(2, "timeout"),
    cell(3, "pass", { attempts: 2 }),
    cell(1, "fail", { subject: 1 }),
  ],
};
const { cells } = readReport(data);

function found(given: Partial<PageState>): string[] {
  const { cells: chosen } = chooseCells(cells, { ...firstState, ...given });
  return chosen.map(({ one, subject }) => (subject.state === "reference" ? `${one.id} (reference)` : one.id));
}

test("what needs a look comes first: failures, then passes on a retry; what is compared with comes last", () => {
  expect(found({})).toEqual(["task_10", "hangs", "retried", "task_2", "task_10 (reference)"]);
});

test("numbers in names are numbers, and what is not known comes last either way", () => {
  const own = { subject: "tested" };
  expect(found({ ...own, order: { by: "caseId", isDescending: false } })).toEqual([
    ...["hangs", "retried", "task_2", "task_10"],
  ]);
  expect(found({ ...own, order: { by: "turns", isDescending: false } }).slice(0, 2)).toEqual([
    ...["task_2", "task_10"],
  ]);
  expect(found({ ...own, order: { by: "turns", isDescending: true } }).slice(0, 2)).toEqual([
    ...["task_10", "task_2"],
  ]);
});

test("all conditions count, and statuses are counted as if none was chosen", () => {
  expect(found({ text: "GOT expected" })).toEqual(["task_10"]);
  expect(found({ tag: "slow" })).toEqual(["hangs"]);
  expect(found({ columns: new Map([["turns", "3"]]) })).toEqual(["task_10"]);
  expect(found({ columns: new Map([["nonsense", "3"]]) })).toEqual([]);
  expect(found({ subject: "baseline", caseId: "task_10" })).toEqual(["task_10 (reference)"]);
  expect(chooseCells(cells, { ...firstState, statuses: ["pass"] }).counts).toMatchObject({
    pass: 2,
    fail: 2,
  });
});
