import { describe, expect, test } from "vitest";
import { levelSample, sampleView } from "../../../test/level-samples.ts";
import { cellReader } from "../../../test/sample-document.ts";
import { toyLevel } from "../../../test/toy-level.ts";
import type { SubjectView } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult, Verdict } from "../../contract/result.ts";
import type { CaseVerdict, LevelView } from "../../contract/view.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { sampleResult, sampleSubject } from "../../store/samples.ts";
import { explainCell, formatValue } from "./explain-cell.ts";
import { findFailures } from "./failed-cases.ts";

const sampled = await levelSample(unitLevel);
const view = sampleView(sampled);

function subjectNamed(at: number): SubjectView {
  const found = view.subjects[at];
  if (found === undefined) throw new Error(`no subject ${at}`);
  return found;
}

test("subjects that failed come first, the worst of them before others", () => {
  const shares = view.subjects.map(({ state, tally }) => [
    state,
    tally.failed / (tally.passed + tally.failed),
  ]);

  expect(shares.map(([state]) => state)).toEqual([
    "failed",
    "failed",
    ...shares.slice(2).map(() => "passed"),
  ]);
  expect(shares[0]?.[1]).toBeGreaterThan(Number(shares[1]?.[1]));
});

test("a gate that nobody could check leaves a subject without a verdict, one that failed makes it fail", () => {
  const states = ([null, false] as const).map((passed) => {
    const gates = sampled.report.gates.map((gate) => ({ ...gate, passed }));
    return sampleView({ ...sampled, report: { ...sampled.report, gates } }).subjects.at(-1)?.state;
  });

  expect(states).toEqual(["unknown", "failed"]);
  expect(view.subjectBlocks(subjectNamed(0)).at(-1)).toMatchObject({
    title: "Gates",
    rows: [["completion", "≥ 90.0%", expect.stringMatching(/%$/), "failed"]],
  });
});

test("a subject is named with its suite where a run has several", () => {
  const [suite] = sampled.report.suites;
  const suites = [...sampled.report.suites, { ...suite, id: "other" }] as typeof sampled.report.suites;
  const [first] = sampleView({ ...sampled, report: { ...sampled.report, suites } }).subjects;

  expect(first?.name).toBe(`${subjectNamed(0).name} on ${suite?.id}`);
});

test("a level says what a subject is called, and that a run started nothing to contain", () => {
  const shown = (view: LevelView) => sampleView({ ...sampled, level: { ...unitLevel, view } });
  const labels = (view: LevelView) => shown(view).facts.map(({ label }) => label);

  expect(shown({ subjectName: () => "no model" }).subjects[0]).toMatchObject({ shortName: "no model" });
  expect(shown({ subjectName: () => null }).subjects[0]).toMatchObject({ shortName: subjectNamed(0).name });
  expect(labels({})).toContain("Containment");
  expect(labels({ startsNothing: () => true })).not.toContain("Containment");
});

test("fewer failed cases are asked for after more, and the other way round", () => {
  const all = view.failures(subjectNamed(0), Number.POSITIVE_INFINITY);
  const two = view.failures(subjectNamed(0), 2);

  expect(two).toMatchObject({ cases: all.cases.slice(0, 2), more: all.cases.length - 2 });
  expect(sampleView(sampled).failures(subjectNamed(0), 2).more).toBe(two.more);
  expect(view.failures(subjectNamed(0), 100)).toEqual(all);
});

test("a level that nobody knows is shown by what every level has", () => {
  const [first] = sampleView({ ...sampled, level: toyLevel }).subjects;

  expect(first?.facts).toMatchObject([
    {
      label: "completion",
      unit: "share",
      value: 0.4167,
      note: expect.stringContaining("35.7% counting missing verdicts as failed"),
    },
  ]);
});

describe("the cases of a subject that did not pass", () => {
  /** Cells of cases by id, a letter per trial, in plan order. */
  function find(trials: Record<string, string>, maxCases: number, verdicts?: Record<string, CaseVerdict>) {
    const count = Math.max(...Object.values(trials).map(({ length }) => length));
    const cells: CellResult[] = [];
    for (let trial = 1; trial <= count; trial++)
      for (const [caseId, word] of Object.entries(trials))
        cells.push(sampleResult({ caseId, trial, ...ends[word[trial - 1] ?? "p"] }));
    const shown: Level = {
      ...toyLevel,
      view: verdicts === undefined ? {} : { caseVerdicts: () => new Map(Object.entries(verdicts)) },
    };
    const subject = { subject: sampleSubject({ trials: count }), level: shown } as SubjectView;
    const { cases, ...rest } = findFailures(
      subject,
      () => cells,
      () => new Map(),
      maxCases,
    );
    return {
      ...rest,
      cases: cases.map(({ caseId, status, words, cell }) => [caseId, status, words, cell.trial]),
    };
  }
  const attempt = { status: "answered", code: null, latencyMs: 1, message: null } as const;
  const end = (status: Verdict) => ({ status });
  const ends: Record<string, Partial<CellResult>> = {
    ...{ p: end("pass"), f: end("fail"), e: end("error"), t: end("timeout"), i: end("invalid") },
    r: { status: "pass", attempts: [1, 2].map((n) => ({ ...attempt, n })) },
  };

  test("have their trials together, by the first cell that did not pass", () => {
    expect(find({ a: "ppp", b: "ppf", c: "fte", d: "fff", e: "ipp" }, 9).cases).toEqual([
      ["c", "error", "1 failed, 1 error, 1 timed out of 3 trials", 1],
      ["d", "fail", "failed in 3 of 3 trials", 1],
      ["b", "fail", "failed in 1 of 3 trials", 3],
      ["e", "invalid", "no verdict in 1 of 3 trials", 1],
    ]);
  });

  test.each([
    ["i", "i", "f", "p", "i", "f"],
    ["ii", "if", "pf", "pp", "ii", "ff"],
  ])("without a verdict are listed only where there is room: %s", (...words) => {
    const cases = Object.fromEntries(words.map((word, at) => [String.fromCharCode(97 + at), word]));

    const found = find(cases, 2);
    expect(found.cases.map(([id]) => id)).toEqual(words[0] === "i" ? ["c", "f"] : ["f", "b"]);
    expect(found.more).toBe(3);
    expect(find(cases, 9).cases).toHaveLength(5);
  });

  test("are those whose verdict over all trials is not a pass, whatever single trials came to", () => {
    const verdicts: Record<string, CaseVerdict> = {
      a: { status: "pass" },
      b: { status: "fail", words: "would not load" },
      c: { status: "invalid", words: "undecided" },
      d: { status: "invalid", words: "no verdict" },
    };

    expect(find({ a: "pppf", b: "ipff", c: "pppp", d: "pffi" }, 9, verdicts).cases).toEqual([
      ["b", "fail", "would not load", 3],
      ["c", "invalid", "undecided", 1],
      ["d", "invalid", "no verdict", 4],
    ]);
  });

  test("do not hide what passed on a retry", () => {
    expect(find({ a: "pr", b: "ff" }, 1)).toMatchObject({
      retried: [{ caseId: "a", trial: 2, attempt: 2 }],
      retriedCount: 1,
    });
  });
});

describe("the explanation of a cell", () => {
  const [text = ""] = cellReader([sampleResult({ status: "error", cause: "crash", reason: "exit 1" })])();
  const broken = { ...(JSON.parse(text) as CellResult), stderrTail: "Traceback", stray: ["loading"] };
  const kinds = (cell: CellResult, level?: Level) =>
    explainCell(cell, undefined, level).map(({ kind, title }) => title ?? kind);

  test("says what every cell has, with the facts of its level first in one list", () => {
    const level: Level = {
      ...toyLevel,
      view: { explain: () => [{ kind: "facts", facts: [{ label: "Scorer", value: "exact_match" }] }] },
    };

    expect(kinds(broken, level)).toEqual(["text", "Other lines on stdout", "stderr", "facts"]);
    expect(explainCell(broken, undefined, level).at(-1)).toMatchObject({
      facts: [{ label: "Scorer" }, { label: "Latency" }, { label: "Key" }],
    });
  });

  test("has no output where none came, and the value null where that is the answer", () => {
    expect(kinds(broken)).not.toContain("Output");
    expect(kinds(sampleResult({ output: null }))).toContain("Output");
  });
});

test("lines of a text inside of JSON are lines", () => {
  expect(formatValue({ doc: "one\ntwo", path: "C:\\new", list: ["a\r\nb"] })).toBe(
    [
      "{",
      '  "doc": "one',
      '    two",',
      '  "path": "C:\\\\new",',
      '  "list": [',
      '    "a',
      '      b"',
      "  ]",
      "}",
    ].join("\n"),
  );
});
