import { expect, test } from "vitest";
import { planDocument } from "../../../test/plan-document.ts";
import { noTitle, sampleAttempt, samplePlanResult, wrongAnchor } from "../../../test/sample-plan-result.ts";
import type { CellReader } from "../../contract/format.ts";
import type { PlanEvidence } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import { planbenchView } from "./view.ts";

const repaired = [
  sampleAttempt({ violations: [noTitle, wrongAnchor], executed: false }),
  sampleAttempt({ executed: true }),
];
const wrong = { outcome: "fail" as const, attempts: [sampleAttempt({ violations: [wrongAnchor] })] };
const { cells, ...report } = planDocument([
  samplePlanResult({ sample: 1 }),
  samplePlanResult({ sample: 2, attempts: repaired }),
  samplePlanResult({ caseId: "chart", host: null, sample: 1, ...wrong }),
  samplePlanResult({ caseId: "chart", host: null, sample: 2, ...wrong }),
  samplePlanResult({ caseId: "down", sample: 1, outcome: "error", attempts: [] }),
  samplePlanResult({ caseId: "harness", route: "fixed", sample: 1 }),
]);
const read: CellReader = () => cells.map((cell) => JSON.stringify(cell));

function withEvidence(cell: CellResult | undefined, given: Partial<PlanEvidence>): CellResult {
  if (cell === undefined) throw new Error("there is such a cell");
  return { ...cell, output: { ...(cell.output as PlanEvidence), ...given } };
}

test("samples are counted, and fixed ones are only there to compare with", () => {
  const tallies = report.subjects.map((subject) => [
    subject.arm,
    planbenchView.isReference?.(subject),
    planbenchView.tally?.(subject),
  ]);
  const noun = ["sample", "samples"];
  expect(tallies).toEqual([
    ["routed", false, { passed: 2, failed: 2, unknown: 1, noun }],
    ["fixed", true, { passed: 1, failed: 0, unknown: 0, noun }],
  ]);
});

test("a section per route has its figures, its repairs, why samples failed, and every case", () => {
  const claimed = withEvidence(cells[3], { service: { claimedOk: true, repairs: 0 } });
  const samples: CellReader = () => [...read(), JSON.stringify(claimed)].toSpliced(3, 1);
  const sections = planbenchView.sections?.(report, samples) ?? [];
  expect(sections.map(({ title }) => title)).toEqual(["Routed cases", "Fixed cases"]);
  const [facts, bars, failures, errors, cases] = sections[0]?.blocks ?? [];
  expect(facts).toMatchObject({
    facts: expect.arrayContaining([
      expect.objectContaining({ label: "OK at first", note: "1 of 4 samples" }),
      {
        label: "Reported ok by the service",
        value: 1,
        unit: "count",
        note: "1 of them wrongly",
        tone: "bad",
      },
      expect.objectContaining({ label: "Coverage", note: "1 without an outcome", tone: "warn" }),
    ]),
  });
  expect(bars).toMatchObject({
    title: "Samples by repairs (0.5 on average)",
    bars: [
      { label: "no repair", value: 1 },
      { label: "1 repair", value: 1 },
      { label: "failed", value: 2, tone: "bad" },
    ],
  });
  expect(failures).toMatchObject({ rows: [["/actions/*/anchor must be equal to constant", 2, "chart"]] });
  expect(errors).toMatchObject({ rows: [["provider-error: HTTP 500 from api.example.com", 1, "down"]] });
  expect(cases).toMatchObject({
    rows: [
      ["wps-block", "wps", 2, 1, 2, 0, 0, 1, 1680],
      ["chart", null, 2, 0, 0, 2, 0, 0, 840],
      ["down", "wps", 1, 0, 0, 0, 1, 0, null],
    ],
  });
  expect(sections[1]?.blocks.map(({ kind }) => kind)).toEqual(["facts", "table"]);
});

test("a sample shows every output with what was wrong with it, and the last one where it is stored", () => {
  const stored = { output: '{"actions":[]}' };
  const [table, output, facts] = planbenchView.explain?.(withEvidence(cells[1], stored), undefined) ?? [];
  expect(table).toMatchObject({
    rows: [
      [
        "first",
        false,
        false,
        840,
        412,
        "/actions/0/title is required\n/actions/2/anchor must be equal to constant",
      ],
      ["repair 1", true, true, 840, 412, ""],
    ],
  });
  expect(output).toMatchObject({ title: "Last output", code: '{\n  "actions": []\n}', language: "json" });
  expect(facts).toMatchObject({
    facts: expect.arrayContaining([
      { label: "Outcome", value: "ok after 1 repair" },
      { label: "Answered by", value: "gpt-5-mini-2026-01-15" },
    ]),
  });
  const cut = withEvidence(cells[1], { ...stored, isOutputCut: true });
  expect(planbenchView.explain?.(cut, undefined)[1]).toMatchObject({
    title: "Last output (beginning)",
    code: '{"actions":[]}',
  });
});

test("a run says whose outputs were measured, and that a script is not a model", () => {
  const facts = (settings: object) =>
    new Map(
      planbenchView
        .runFacts?.({ ...report, run: { ...report.run, settings: { ...report.run.settings, ...settings } } })
        .map(({ label, value }) => [label, value]),
    );
  expect(facts({})).toEqual(
    new Map<string, string | number>([
      ["Answered by", "gpt-5-mini-2026-01-15"],
      ["Parameters", "temperature 0"],
      ["Repairs allowed", 5],
      ["Schema", "ah32.plan.v1, sha256:5f1c"],
      ["Skills", ""],
    ]),
  );
  expect(facts({ model: "mock" }).get("Note")).toMatch(/^replies are scripted/);
});
