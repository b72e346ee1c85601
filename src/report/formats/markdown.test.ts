import { expect, test } from "vitest";
import * as z from "zod";
import { fewHostileTexts, hiddenCharacters } from "../../../test/hostile-texts.ts";
import { cellReader, sampleDocument, sampleUnitCell } from "../../../test/sample-document.ts";
import type { CaseReport, ReportDocument } from "../../contract/document.ts";
import type { CellReader } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import type { LevelView } from "../../contract/view.ts";
import { sampleSubject } from "../../store/samples.ts";
import { viewReport } from "../view/view-report.ts";
import { markdownFormat } from "./markdown.ts";

const levelWith = (view: LevelView): Level => ({
  name: "unit",
  nouns: { case: ["task", "tasks"], subject: "skill" },
  details: z.any(),
  metrics: [{ name: "completionRate", label: "completion", unit: "share", better: "up", isMain: true }],
  view,
});

const suites = [{ id: "coding-easy", level: "unit", version: "1.1.0", digest: "sha256:coding", cases: 2 }];
const calc = { trials: 2, suite: "coding-easy", skillId: "calc" };

function render(
  cells: readonly CellResult[] | CellReader,
  given: Partial<ReportDocument> = {},
  view: LevelView = {},
): string {
  const report = sampleDocument({
    ...{ suites, subjects: [sampleSubject(calc, 0.5)], warnings: [], skipped: [], files: [] },
    ...given,
  });
  const reader = typeof cells === "function" ? cells : cellReader(cells);
  return [...markdownFormat.render(viewReport(report, reader, [levelWith(view)]))].join("");
}

const makeCase = (given: Partial<CaseReport>): CaseReport => ({
  ...{ suite: "coding-easy", level: "unit", skillId: null, id: "b", digest: "sha256:b", title: null },
  ...{ input: null, expected: null, tags: [], weight: 1, isShortened: false },
  ...given,
});

test("the verdict comes first, then the subjects, what failed, and the facts of the run", () => {
  const text = render(
    [sampleUnitCell({ caseId: "b", status: "fail", reason: "wrong" })],
    { warnings: ["first\nsecond"], files: ["reports/eval-result.json"] },
    {
      sections: () => [{ title: "Judges", note: "Who judged.", blocks: [{ kind: "text", text: "nobody" }] }],
      subjectBlocks: () => [{ kind: "text", text: "more of it" }],
    },
  );

  expect(text).toMatch(
    /^# 1 of 3 failed\n\n\*\*Completion: 1 skill below the 80% threshold: calc \(50\.0%\)\*\*\n/,
  );
  expect(text).toContain("| calc    | ✗ 1 of 3 failed |      50.0% |");
  expect(text).toContain("\n## Warnings\n\nfirst  \n  second\n");
  expect(text.match(/^## .*/gm)).toEqual([
    "## Warnings",
    "## What failed",
    "## Judges",
    "## Subjects",
    "## Run",
    "## Files",
  ]);
});

test("a case has all its trials together, with its title, its reason, its input and what differs", () => {
  const cells = [1, 2].map((trial) =>
    sampleUnitCell({ caseId: "b", trial, status: "fail", reason: "first\nsecond", output: { value: 3 } }),
  );
  const one = makeCase({ title: "Adds", input: { n: 5 }, expected: { value: 2, unit: "m" } });

  expect(render(cells, { cases: [one] })).toContain(
    [
      "#### b: Adds",
      "**Failed in 2 of 2 trials**:",
      "first  \nsecond",
      '**Input**: `{"n": 5}`',
      "**Expected and actual**",
      '```diff\n  $.value\n- 2\n+ 3\n  $.unit is missing\n- "m"\n```',
      "Trial: 1 · Latency: 100 ms",
      "",
    ].join("\n\n"),
  );
});

test("nothing is said twice: neither what the reason says nor an input that is the title", () => {
  const cell = sampleUnitCell({ caseId: "b", status: "fail", reason: "expected 2, got 3", output: 3 });
  const text = render([cell], {
    cases: [makeCase({ title: "tidy this up", input: "tidy this up", expected: 2 })],
  });

  expect(text).toContain(
    "#### b: tidy this up\n\n**Failed**: expected 2, got 3\n\nTrial: 1 · Latency: 100 ms\n",
  );
});

test("cases that broke in the same way are one, all of them named", () => {
  const cells = ["a", "b", "c"].map((caseId) =>
    sampleUnitCell({ caseId, status: "error", cause: "crash", reason: "exit 1" }),
  );
  const text = render(cells, { subjects: [sampleSubject({ ...calc, trials: 1 })] });

  expect(text.match(/crash: exit 1/g)).toHaveLength(1);
  expect(text).toContain("The same in 2 more cases: b, c");
});

test("a figure that no subject has is not a column", () => {
  const headline = () => [
    { label: "Recall", value: 0.5, unit: "share" as const },
    { label: "Notes", value: null },
  ];

  expect(render([], {}, { headline })).toMatch(/\| Subject \| State +\| Recall \|\n/);
});

test("a pass after a retry is reported, also of a subject that passed", () => {
  const attempt = { n: 1, status: "error", code: "crash", latencyMs: 1, message: "exit 1" } as const;
  const attempts = [attempt, { ...attempt, n: 2, status: "answered", code: null } as const];
  const counts = { total: 1, pass: 1, fail: 0, error: 0, timeout: 0, invalid: 0 };
  const text = render([sampleUnitCell({ caseId: "b", attempts })], {
    subjects: [sampleSubject({ ...calc, counts })],
    gates: [],
  });

  expect(text).toContain("## Passed on a retry\n\ncalc: 1 passed on attempt 2: b trial 1\n");
  expect(text).not.toContain("## What failed");
});

test("what is only there to compare with is in the table, and not in what failed", () => {
  const text = render(
    [sampleUnitCell({ arm: "absent", status: "fail", reason: "wrong" })],
    { subjects: [sampleSubject({ ...calc, arm: "absent" })] },
    { isReference: () => true },
  );

  expect(text).toContain("| · 1 of 3 failed (for comparison) |");
  expect(text).not.toContain("## What failed");
});

test("each suite of a run over several levels has a table of its own", () => {
  const text = render([], {
    suites: [...suites, { ...suites[0], id: "queries", level: "other" } as (typeof suites)[0]],
    subjects: [sampleSubject(calc), sampleSubject({ ...calc, suite: "queries", level: "other" })],
  });

  expect(text).toContain("### unit · coding-easy · 2 tasks × 2 trials\n\n| Subject |");
  expect(text).toContain("### other · queries · 2 cases × 2 trials\n\n| Subject |");
});

test("of many cases and subjects the first are shown, and the others counted", () => {
  const texts = Array.from({ length: 60 }, (_, at) =>
    JSON.stringify(sampleUnitCell({ caseId: `c${at}`, status: "fail" })),
  );
  const subjects = Array.from({ length: 102 }, (_, at) =>
    sampleSubject({ ...calc, skillId: `s${at}`, trials: 1 }),
  );
  const text = render(() => texts, { subjects });

  expect(text.match(/^#### /gm)).toHaveLength(5000);
  expect(text.match(/… and 10 more cases: see the JSON report/g)).toHaveLength(100);
  expect(text).toContain("\n… and 2 more: see the JSON report\n");
});

test("fault row 39: hostile names, reasons and outputs leave every table whole", () => {
  for (const hostile of fewHostileTexts) {
    const text = render(
      [
        sampleUnitCell({
          skillId: hostile,
          caseId: hostile,
          status: "fail",
          reason: hostile,
          output: hostile,
        }),
      ],
      {
        ...{
          subjects: [sampleSubject({ ...calc, skillId: hostile })],
          warnings: [hostile],
          files: [hostile],
        },
        cases: [makeCase({ id: hostile, title: hostile, input: { [hostile]: hostile }, expected: hostile })],
        skipped: [{ level: "unit", suite: hostile, skillId: hostile, caseId: hostile, reason: hostile }],
      },
    );
    const tables = text.split("\n").filter((line) => line.startsWith("|"));

    for (const line of tables) expect([3, 4], line).toContain(line.match(/(?<!\\)\|/g)?.length);
    expect(text).not.toMatch(hiddenCharacters);
  }
});
