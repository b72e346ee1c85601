import { expect, test } from "vitest";
import { agentCell, agentDocument } from "../../../test/agent-document.ts";
import { sampleCaseReport, sampleFailure } from "../../../test/sample-case-report.ts";
import { caseScore } from "../../cases/case-score.ts";
import { agentDetails, asJson, detailsIn } from "../../contract/agent-details.ts";
import type { CellReader } from "../../contract/format.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Section } from "../../contract/view.ts";
import { agentView } from "./view.ts";

type Row = [pass: boolean | null, trials: number, verdicts: number, passed: number, minPassRate: number];

async function subjectWith(rows: readonly Row[]) {
  const [subject] = (await agentDocument([agentCell()])).subjects;
  if (subject === undefined) throw new Error("there is a subject");
  const cases = rows.map(([pass, trials, verdicts, passed, minPassRate], n) => ({
    ...{ caseId: `c${n}`, pass, trials, verdicts, passed, passRate: null, minPassRate },
  }));
  return { ...subject, details: { ...subject.details, cases } };
}

test.each<[Row, string, string | undefined]>([
  [[true, 1, 1, 1, 1], "pass", undefined],
  [[false, 3, 3, 1, 1], "fail", undefined],
  [[true, 4, 4, 3, 0.66], "pass", "passed in 3 of 4 trials, 66% required"],
  [[false, 4, 4, 2, 0.66], "fail", "failed: 2 of 4 trials passed, 66% required"],
  [[true, 3, 2, 2, 1], "invalid", "passed in 2 of 3 trials, 1 without a verdict"],
  [[null, 3, 0, 0, 1], "invalid", undefined],
])("what trials of a case came to: %j", async (row, status, words) => {
  const subject = await subjectWith([row]);
  expect(agentView.caseVerdicts?.(subject).get("c0")).toEqual({
    status,
    ...(words !== undefined && { words }),
  });
  const counts = { passed: 0, failed: 0, unknown: 0 };
  counts[status === "pass" ? "passed" : status === "fail" ? "failed" : "unknown"]++;
  expect(agentView.tally?.(subject)).toEqual({ ...counts, noun: ["case", "cases"] });
});

/** A cell that failed like this, as its score step stores it. */
function failedCell(failures: readonly ReturnType<typeof sampleFailure>[]): CellResult {
  const report = sampleCaseReport({ status: "fail", failures: [...failures] });
  const timeline = [
    { atMs: 0, label: "user", text: "Write", line: 1 },
    { atMs: 5, label: "model", text: "writes a.md", quote: "long", cut: 2000, line: 12 },
  ];
  const score = caseScore(report, { runDir: "my runs/x", timeline });
  return agentCell({
    status: "fail",
    reason: score.score === null ? null : score.reason,
    details: asJson(agentDetails(report, "my runs/x", timeline)),
  });
}

function titlesOf(blocks: readonly Block[] | undefined): string[] {
  return (blocks ?? []).map(({ kind, title = "" }) => `${kind} ${title}`.trim());
}

test("a failed cell shows expected and actual values, what happened with the event that failed, and how to replay it", () => {
  const records = { expected: { a: 1 }, actual: { a: 2 }, events: [], lines: [] };
  const many = ["A", "B", "C", "D"].map((code) =>
    sampleFailure({ code, message: `message ${code}`, ...records }),
  );
  const cell = failedCell([sampleFailure(), ...many]);
  const blocks = agentView.explain?.(cell, undefined);

  expect(cell.reason?.split("\n")).toEqual([
    "sequence: write_file is forbidden and was executed (ForbiddenExecuted)",
    "sequence: message A (A)",
    "sequence: message B (B)",
    "and 2 more failures",
  ]);
  expect(titlesOf(blocks)).toEqual([
    "facts sequence: ForbiddenExecuted (log lines 12–14)",
    "diff sequence: A",
    "diff sequence: B",
    // What the reason does not name is listed here.
    "facts sequence: C",
    "diff",
    "facts sequence: D",
    "diff",
    "timeline Transcript",
    "facts Run",
  ]);
  expect(blocks?.find(({ kind }) => kind === "timeline")).toMatchObject({
    events: [{ text: "Write" }, { text: "writes a.md", tone: "bad", quote: "long" }],
    note: "Left out: 2,000 characters of 1 text. All of it: eval-skills agent replay 'my runs/x' --full",
  });
  expect(blocks?.at(-1)).toMatchObject({
    facts: expect.arrayContaining([
      { label: "Skills selected", value: "pdf-form-filler" },
      { label: "Run directory", value: "my runs/x" },
      { label: "Replay with", value: "eval-skills agent replay 'my runs/x'" },
    ]),
  });
});

test("columns have a sign per dimension, and nothing where it does not apply", () => {
  const { scores } = sampleCaseReport();
  const budget = { status: "not_applicable", pass: null, checks: [] } as const;
  const cell = agentCell({
    details: asJson({ ...detailsIn(agentCell()), scores: { ...scores, budget: { ...budget, checks: [] } } }),
  });
  const shown = (id: string) => {
    const column = agentView.columns?.find((one) => one.id === id);
    const value = column?.value(cell) ?? null;
    return [value, column?.tone?.(value)];
  };
  expect([shown("trigger"), shown("budget"), shown("unit")]).toEqual([
    ["✓", "good"],
    [null, undefined],
    [null, undefined],
  ]);
});

test("sections compare models and skills with none, and name what nothing exercised", async () => {
  const idle = (names: readonly string[]) =>
    asJson({ ...detailsIn(agentCell({ model: "lab/a" })), notExercised: [...names] });
  const cells = ["lab/a", "lab/b"].flatMap((model) =>
    [1, 2].flatMap((trial) => [
      agentCell({ model, trial, details: idle(trial === 1 ? ["one", "two"] : ["two"]) }),
      agentCell({ model, trial, caseId: "c1", status: model === "lab/a" && trial === 2 ? "fail" : "pass" }),
      agentCell({ model, trial, arm: "absent", status: "fail", details: idle(["three"]) }),
    ]),
  );
  const { cells: stored, ...report } = await agentDocument(cells);
  const read: CellReader = ({ level } = {}) =>
    stored.filter((cell) => cell.level === level).map((cell) => JSON.stringify(cell));
  const sections = new Map<string, Section>(
    (agentView.sections?.(report, read) ?? []).map((section) => [section.title, section]),
  );

  expect([...sections.keys()]).toEqual([
    "Cases by model",
    "With and without skills",
    "Dimensions",
    "Checks never exercised",
  ]);
  expect(sections.get("Cases by model")?.blocks[0]).toMatchObject({
    rows: ["smoke/c0", "smoke/c1"],
    columns: ["lab/a", "lab/b"],
    cells: [
      [{ value: "✓ 2/2" }, { value: "✓ 2/2" }],
      [
        { value: "✗ 1/2", tone: "bad" },
        { value: "✓ 2/2", tone: "good" },
      ],
    ],
  });
  expect(sections.get("With and without skills")?.blocks).toMatchObject([
    {
      rows: [
        ["lab/a", "smoke", 1, 0, expect.stringContaining("+100.0 pp"), 1],
        ["lab/b", "smoke", 1, 0, expect.anything(), 1],
      ],
    },
    { rows: [["c0", "2 of 2", "0 of 2"]] },
    { rows: [["c0", "2 of 2", "0 of 2"]] },
  ]);
  expect(sections.get("Checks never exercised")?.blocks).toMatchObject([{ rows: [["two", "smoke/c0"]] }]);
});
