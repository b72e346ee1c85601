import { expect, test } from "vitest";
import { levelSample, sampleView } from "../../../test/level-samples.ts";
import type { SubjectReport } from "../../contract/document.ts";
import type { QuerySummary } from "../../contract/trigger-report.ts";
import type { Json } from "../../shared/json/json.ts";
import { sampleResult } from "../../store/samples.ts";
import type { TriggerSubjectDetails } from "./details.ts";
import { triggerLevel } from "./level.ts";
import { triggerView } from "./view.ts";

const sample = await levelSample(triggerLevel);

/** The first skill of the sample, with other details. */
function subject(details: Partial<TriggerSubjectDetails> = {}): SubjectReport {
  const [first] = sample.report.subjects;
  if (first === undefined) throw new Error("a sample has subjects");
  return { ...first, details: { ...first.details, ...(details as Record<string, Json>) } };
}

const query: QuerySummary = {
  ...{ queryId: "q", query: "tidy this up", side: "should_match", verdict: "pass", cause: null },
  ...{ repeats: 8, yes: 8, no: 0, invalid: 0, error: 0, rate: 1, interval: [0.676, 1] },
  ...{ flips: false, unreplicated: false, reason: "It says so.", belongsTo: null, tags: [] },
};
const failed = {
  verdict: "fail",
  yes: 0,
  no: 8,
  rate: 0,
  interval: [0, 0.324],
} satisfies Partial<QuerySummary>;
const open = {
  verdict: "invalid",
  yes: 5,
  no: 3,
  rate: 0.625,
  interval: [0.306, 0.863],
} satisfies Partial<QuerySummary>;

test.each<[Partial<QuerySummary>, string, string?]>([
  [{}, "passed, yes 8/8 [0.676–1 if asked again]"],
  [failed, "failed: would not load, yes 0/8 [0–0.324 if asked again]"],
  [{ ...failed, chosen: "slides" }, "failed: slides was chosen instead, yes 0/8 [0–0.324 if asked again]"],
  [{ ...failed, repeats: 1, no: 1, chosen: null }, "failed: no skill was chosen"],
  [{ verdict: "fail", side: "should_not_match" }, "failed: would load, yes 8/8 [0.676–1 if asked again]"],
  [{ ...open, cause: "undecided" }, "undecided", "undecided, yes 5/8 [0.306–0.863 if asked again]"],
  [
    { ...open, cause: "judge-error" },
    "no verdict",
    "no verdict: too few replies, yes 5/8 [0.306–0.863 if asked again]",
  ],
  [
    { ...open, cause: "no-verdict", yes: 0, no: 0, interval: null },
    "no verdict",
    "no verdict: no usable answer",
  ],
  [
    { ...open, cause: "uncalibrated", yes: 8, no: 0, interval: [0.676, 1] },
    "no verdict",
    "no verdict: the judge is not reliable enough, yes 8/8 [0.676–1 if asked again]",
  ],
])("the verdict on a query over all its answers in words: %o", (given, words, inTable = words) => {
  const skill = subject({ queries: [{ ...query, ...given }] });
  const status = given.verdict ?? "pass";

  expect(triggerView.caseVerdicts?.(skill).get("q")).toEqual({ status, words, reason: "It says so." });
  expect(triggerView.tally?.(skill)).toEqual({
    passed: Number(status === "pass"),
    failed: Number(status === "fail"),
    unknown: Number(status === "invalid"),
    noun: ["query", "queries"],
  });
  const table = triggerView.subjectBlocks?.(skill, sample.report).at(-1);
  expect(table).toMatchObject({ title: "Queries", rows: [expect.arrayContaining([inTable])] });
});

test("a figure of nothing is undefined, one that is not there is unknown", () => {
  const { metrics, ...rest } = subject();
  const recall = { ...metrics.recall, value: null } as (typeof metrics)[string];
  const figures = (given: typeof metrics) =>
    triggerView.headline?.({ ...rest, metrics: given }).find(({ label }) => label === "Recall")?.value;

  expect([figures({ ...metrics, recall }), figures({})]).toEqual(["undefined", null]);
});

test("what answers took and what was wrong with them is shown for every skill", () => {
  const flips = [query, { ...query, queryId: "r", flips: true, unreplicated: true }];
  const skill = subject({
    queries: flips,
    invalidRate: 0.25,
    lenient: { yes: 3, no: 1, neither: 2 },
    cached: 4,
  });
  const facts = triggerView.subjectBlocks?.(skill, sample.report)[0];

  expect(facts).toMatchObject({
    facts: expect.arrayContaining([
      { label: "Judge", value: "catalog lab/judge, 2 answers per query, threshold 0.5, a model is named" },
      expect.objectContaining({ label: "Coverage", tone: "warn" }),
      { label: "Answers differ", value: "on 1 of 2 queries" },
      expect.objectContaining({ label: "Unreplicated", value: "1 of 2 queries" }),
      { label: "Unusable replies", value: 0.25, unit: "share", note: "3 probably meant yes, 1 no" },
      { label: "Answers from the store", value: 4, unit: "count" },
    ]),
  });
});

test("who was chosen for whose requests is a matrix, over the skills of a run", () => {
  const chosen = (intended: string | null, to: Record<string, number>, none = 0) => ({
    ...{ intended, chosen: to, none, undecided: 0 },
  });
  const third = { count: 3, of: 4, rate: 0.75, interval: null, expected: 0.5 };
  const subjects = [
    subject({
      confusion: [chosen("notes", { notes: 5, slides: 2 }, 1), chosen(null, { notes: 1 }, 4)],
      positionBias: { first: third, last: { ...third, count: 1 } },
    }),
    { ...subject({ confusion: [chosen("slides", { slides: 3 })], positionBias: null }), skillId: "slides" },
  ];

  const [section] = sampleView({ ...sample, report: { ...sample.report, subjects } }).sections();
  const [matrix, facts, pairs] = section?.blocks ?? [];
  expect(matrix).toEqual({
    kind: "matrix",
    unit: "count",
    rows: ["notes", "slides", "no skill"],
    columns: ["notes", "slides", "none"],
    cells: [
      [good(5), bad(2), { value: 1, tone: "warn" }],
      [zero, good(3), zero],
      [bad(1), zero, good(4)],
    ],
  });
  expect(facts).toMatchObject({
    facts: [
      { label: "Got the skill they are meant for", note: "8 of 11 queries" },
      { label: "Got no skill", note: "1 of 11 queries" },
      { label: "Meant for no skill and got one", note: "1 of 5 queries" },
      { value: 0.75, note: "50.0% without a bias" },
      { value: 0.25 },
    ],
  });
  expect(pairs).toMatchObject({ rows: [["notes", "slides", "2 of 8", 0.25]] });
});
const good = (value: number) => ({ value, tone: "good" });
const bad = (value: number) => ({ value, tone: "bad" });
const zero = { value: 0, tone: "muted" };

test("an unusable reply is shown whole, with those before it and what it probably meant", () => {
  const reply = { why: "not one line", raw: "I would\nsay yes", rawSha256: "5a", lenientDecision: "yes" };
  const effort = { repeat: 0, ms: 1, tokensIn: null, tokensOut: null, usd: null, cached: false };
  const cell = sampleResult({
    ...{ level: "trigger", status: "invalid", cause: "no-verdict", reason: "not one line" },
    output: {
      ...effort,
      outcome: "invalid",
      ...reply,
      reasked: [{ ...reply, raw: "", lenientDecision: null }],
    },
    details: { side: "should_match", outcome: "invalid" },
  });

  expect(triggerView.explain?.(cell, undefined)).toEqual([
    { kind: "code", title: "Reply 1, asked again", code: "(empty text)" },
    { kind: "text", text: "not one line" },
    { kind: "code", title: "Last reply", code: "I would\nsay yes" },
    { kind: "text", text: "It probably meant yes, which decides nothing." },
    {
      kind: "facts",
      facts: [
        { label: "Expected", value: "should load" },
        { label: "Answer", value: "unusable" },
      ],
    },
  ]);
});
