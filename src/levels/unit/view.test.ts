import { expect, test } from "vitest";
import { levelSample, sampleView } from "../../../test/level-samples.ts";
import type { CaseReport } from "../../contract/document.ts";
import type { Verdict } from "../../contract/result.ts";
import type { Block } from "../../contract/view.ts";
import type { Json } from "../../shared/json/json.ts";
import { sampleInterval, sampleResult } from "../../store/samples.ts";
import { unitLevel } from "./level.ts";
import { unitView } from "./view.ts";

/** What a task expects. */
function task(expected: Json, isShortened = false): CaseReport {
  return {
    ...{ suite: "bench", level: "unit", skillId: null, id: "a", digest: "sha256:a", title: null, input: 1 },
    ...{ expected, tags: [], weight: 1, isShortened },
  };
}

/** How a cell is explained besides its scorer. */
function explained(scorerType: string, expected: Json, output: Json, status: Verdict = "fail"): Block[] {
  const cause = status === "timeout" ? "deadline" : null;
  const cell = sampleResult({ status, cause, output, details: { scorerType, weight: 1, tags: [] } });
  return unitView.explain?.(cell, task(expected))?.slice(0, -1) ?? [];
}

const diff = (expected: Json, actual: Json) => ({
  kind: "diff",
  title: "Expected and actual",
  expected,
  actual,
});
const code = (title: string, code: string) => ({ kind: "code", title, code });
const facts = (...facts: [string, Json][]) => ({
  kind: "facts",
  facts: facts.map(([label, value]) => ({ label, value })),
});

test.each<[string, string, Json, Json, unknown[]]>([
  ["the value and the answer inside its wrapper", "exact_match", { value: 2 }, { result: 3 }, [diff(2, 3)]],
  [
    "objects whole",
    "exact_match",
    { type: "exact", value: { result: 1, n: [1] } },
    { result: 2, n: [1] },
    [diff({ result: 1, n: [1] }, { result: 2, n: [1] })],
  ],
  [
    "the whole output beside, where it has more than the answer",
    "exact_match",
    { value: 2 },
    { result: 3, note: "sure" },
    [diff(2, 3), code("Output", '{\n  "result": 3,\n  "note": "sure"\n}')],
  ],
  [
    "a number with its tolerance",
    "close_to",
    { value: 3.33, absTol: 0.01 },
    { result: 3 },
    [diff(3.33, 3), facts(["Absolute tolerance", 0.01])],
  ],
  [
    "every keyword",
    "contains",
    { keywords: ["six", "seven"] },
    "six",
    [facts(["Must contain", "six"], ["Must contain", "seven"]), code("Output", "six")],
  ],
  ["patterns", "regex", { patterns: ["^1+$"] }, "2", [facts(["Must match", "/^1+$/"]), code("Output", "2")]],
  [
    "a schema",
    "json_schema",
    { schema: { type: "string" } },
    1,
    [code("Schema", '{\n  "type": "string"\n}'), code("Output", "1")],
  ],
  [
    "what a judge was asked",
    "llm_judge",
    { judgePrompt: "Says when.", value: "in 3 days" },
    "soon",
    [
      { kind: "text", title: "Asked of the judge", text: "Says when." },
      code("Expected", "in 3 days"),
      code("Output", "soon"),
    ],
  ],
  [
    "an expected error",
    "tool_error",
    { code: "tool-failed", contains: "blank" },
    { result: 1 },
    [
      facts(["Expected error", "tool-failed"], ["Error must contain", "blank"]),
      code("Output", '{\n  "result": 1\n}'),
    ],
  ],
])("a failed task shows %s", (_, scorerType, expected, output, blocks) => {
  expect(explained(scorerType, expected, output)).toEqual(blocks);
});

test("an expected value is repeated where no answer came, and not where it was given", () => {
  expect(explained("exact_match", { value: "" }, null, "timeout")).toEqual([
    code("Expected", "(empty text)"),
  ]);
  expect(explained("exact_match", { value: 2 }, { result: 2 }, "pass")).toEqual([
    code("Output", '{\n  "result": 2\n}'),
  ]);
});

test("an expectation or an output too long to repeat is not compared", () => {
  const cut = sampleResult({
    ...{ status: "fail", output: "aa", outputTruncated: true, outputBytes: 20_000 },
    details: { scorerType: "exact_match" },
  });
  expect(unitView.explain?.(cut, task({ value: "aab" }))).toMatchObject([
    code("Expected", "aab"),
    code("Output (beginning of 20,000 bytes)", "aa"),
    { kind: "facts" },
  ]);

  const cell = sampleResult({ status: "fail", output: "b", details: { scorerType: "exact_match" } });

  expect(unitView.explain?.(cell, task('{"value":"a\\nb…', true))).toMatchObject([
    code("Expected (beginning)", '{"value":"a\n  b…'),
    code("Output", "b"),
    { kind: "facts" },
  ]);
});

test("a skill is shown with its figures, and with its rank where `run` chose it", async () => {
  const { report, ...sample } = await levelSample(unitLevel);
  const [first, ...others] = report.subjects;
  if (first === undefined) throw new Error("a sample has subjects");
  const labels = (details: Record<string, Json>) =>
    unitView
      .headline?.({ ...first, details: { ...first.details, ...details } })
      .map(({ label, value }) => [label, typeof value === "string" ? value : null]);

  expect(labels({})?.map(([label]) => label)).toEqual([
    ...["Completion", "Error rate", "Flaky tasks", "P95 latency", "Composite score"],
  ]);
  expect(labels({ selected: true, rank: 2 })?.[0]).toEqual(["Selected", "rank 2"]);
  expect(labels({ selected: false, rank: null })?.[0]).toEqual(["Selected", "no"]);

  const byTag = {
    math: {
      total: 3,
      pass: 2,
      completionRate: 0.6667,
      interval: sampleInterval(0.2077, 0.9385),
      partialScore: 0.5,
    },
  };
  const view = sampleView({ ...sample, report: { ...report, subjects: [{ ...first, byTag }, ...others] } });
  const blocks = view.subjects.flatMap((subject) =>
    subject.subject.skillId === first.skillId ? view.subjectBlocks(subject) : [],
  );
  expect(blocks).toMatchObject([
    { kind: "facts" },
    {
      title: "Passing in k trials",
      rows: [
        [
          1,
          expect.any(Number),
          expect.stringMatching(/^[\d.]+–[\d.]+ \(\d cases, few\)$/),
          expect.any(Number),
        ],
        [2, 0.5, expect.any(String), 0.3333],
      ],
    },
    { title: "Tags", rows: [["math", 2, 3, 0.6667, "20.8–93.8 (3 cases, few)", 0.5]] },
    { title: "Gates" },
  ]);
});

test("several expectations are a table, with what those expect that are not met below it", () => {
  const expectations = [
    { scorerType: "exact_match", passed: false, score: 0, reason: "differs" },
    {
      ...{ passed: false, score: 0, reason: "no alternative is met" },
      anyOf: [{ scorerType: "contains", passed: false, score: 0, reason: 'missing: "a"' }],
    },
    { scorerType: "exact_match", passed: true, score: 1, reason: null },
  ];
  const details = { scorerType: "several", weight: 1, tags: [], expectations };
  const cell = sampleResult({ status: "fail", cause: null, output: { result: 3 }, details });
  const expected = [{ value: 2 }, { anyOf: [{ keywords: ["a"] }] }, { value: 3 }];

  const blocks = unitView.explain?.(cell, task(expected)) ?? [];

  expect(blocks).toEqual([
    {
      ...{ kind: "table", title: "Expectations", columns: expect.any(Array) },
      rows: [
        ["1", "exact_match", "fail", 0, '{"value":2}', "differs"],
        ["2", "any of", "fail", 0, "", "no alternative is met"],
        ["2.1", "contains", "fail", 0, '{"keywords":["a"]}', 'missing: "a"'],
        ["3", "exact_match", "pass", 1, '{"value":3}', ""],
      ],
    },
    { ...diff(2, 3), title: "Expectation 1: expected and actual" },
    { ...facts(["Must contain", "a"]), title: "Expectation 2.1" },
    code("Output", '{\n  "result": 3\n}'),
    expect.objectContaining({ kind: "facts" }),
  ]);
});
