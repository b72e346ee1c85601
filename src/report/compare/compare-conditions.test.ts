import { describe, expect, test } from "vitest";
import { sampleDocument } from "../../../test/sample-document.ts";
import type { ReportDocument, RunReport } from "../../contract/document.ts";
import { differingConditions, doubts, timeProblem } from "./compare-conditions.ts";

const labels = { a: "Before", b: "After" };

function withRun(changes: Partial<RunReport>, given: Partial<ReportDocument> = {}): ReportDocument {
  const { run } = sampleDocument();
  return sampleDocument({ run: { ...run, ...changes }, ...given });
}

function withContainment(changes: Partial<RunReport["containment"]>): ReportDocument {
  const { containment } = sampleDocument().run;
  return withRun({ containment: { ...containment, ...changes } });
}

const differing = (a: ReportDocument, b: ReportDocument) => differingConditions(a, b, labels);

test("two runs under the same conditions differ in nothing, whenever they were", () => {
  expect(
    differing(sampleDocument(), withRun({ id: "another", startedAt: "2026-04-01T00:00:00.000Z" })),
  ).toEqual([]);
});

const machine: RunReport["machine"] = {
  ...{ fingerprint: "sha256:a", cpu: "Xeon", cores: 4, memoryGb: 16 },
  ...{ platform: "linux", arch: "x64", node: "20.20.2" },
};

describe("times compare", () => {
  const known = { id: "a", machine };
  const later = { id: "b", machine };

  test("between runs of the same load on machines of the same kind, and within one run", () => {
    expect(timeProblem(withRun(known), withRun(later))).toBeNull();
    expect(timeProblem(withRun({ id: "a" }), withRun({ id: "a" }))).toBeNull();
  });

  test("not between loads, machines, or modes of containment", () => {
    const strict = withContainment({ level: "strict" }).run.containment;
    const problem = (changes: Partial<RunReport>) =>
      timeProblem(withRun(known), withRun({ ...later, ...changes }));

    expect(problem({ concurrency: 8 })).toBe("different concurrency");
    expect(problem({ machine: null })).toBe("a report does not record its machine");
    expect(problem({ machine: { ...machine, fingerprint: "sha256:b" } })).toBe("different machines");
    expect(problem({ containment: strict })).toBe("different containment");
  });

  test("what differs is said", () => {
    const other = { ...machine, fingerprint: "sha256:b", cores: 1 };

    expect(differing(withRun({ concurrency: 4 }), withRun({ concurrency: 8 }))).toEqual([
      "different concurrency: Before 4, After 8; latencies do not compare",
    ]);
    expect(differing(withRun(known), withRun({ ...later, machine: other }))).toEqual([
      "different machine: Before Xeon, 4 cores, 16 GB, linux x64, Node 20.20.2; After Xeon, 1 core, 16 GB, linux x64, Node 20.20.2; latencies do not compare",
    ]);
  });
});

test("reports that may be swapped, or are of one run, are noticed", () => {
  const [older, newer] = ["2026-03-01", "2026-04-01"].map((day) =>
    withRun({ id: day, startedAt: `${day}T00:00:00.000Z` }),
  ) as [ReportDocument, ReportDocument];
  const apart = { labels, paths: { a: "a.json", b: "b.json" } };

  expect(doubts(older, newer, apart)).toEqual([]);
  expect(doubts(newer, newer, { labels, paths: { a: "a.json", b: "a.json" } })).toEqual([]);
  expect(doubts(newer, newer, apart)).toEqual(["a.json and b.json are reports of the same run"]);
  expect(doubts(newer, older, apart)).toEqual([
    "Before is the newer run (2026-04-01T00:00:00.000Z, After 2026-03-01T00:00:00.000Z); if you swapped the reports, better means worse",
  ]);
});

test("containment and the network of skills are told apart", () => {
  expect(differing(withContainment({ level: "process" }), withContainment({ level: "strict" }))).toEqual([
    "different containment: Before process, After strict",
  ]);
  expect(
    differing(
      withContainment({ network: "none" }),
      withContainment({ network: ["a.example:443", "b.example"] }),
    ),
  ).toEqual(["different network of skills: Before none, After a.example:443 b.example"]);
});

test("what a level records of its run is named as it calls it; what only one of the runs had is not compared", () => {
  const a = withRun({ conditions: { deadline: "30000 ms", grader: null, models: "openai/a" } });
  const b = withRun({
    conditions: { deadline: "10000 ms", judge: "router", grader: "2", models: "openai/a" },
  });

  expect(differing(a, b)).toEqual([
    "different deadline: Before 30000 ms, After 10000 ms",
    "different grader: Before not recorded, After 2",
  ]);
});

test("what changed in the same way is said at once", () => {
  const judged = (judge: string) =>
    withRun({ conditions: Object.fromEntries(["a", "b", "c", "d"].map((id) => [`judge of ${id}`, judge])) });

  expect(differing(judged("model m, repeats 8"), judged("router, repeats 1"))).toEqual([
    "different judge of a, judge of b, judge of c and 1 more: Before model m, repeats 8; After router, repeats 1",
  ]);
});

test("a suite that both have may have another version, and so may the tool", () => {
  const suites = (version: string, level = "unit") => [
    { id: "s", level, version, digest: "sha256:s", cases: 1 },
  ];
  const tool = { name: "eval-skills", version: "2.0.0" } as const;

  expect(
    differing(withRun({}, { suites: suites("1.0.0") }), withRun({}, { suites: suites("1.1.0"), tool })),
  ).toEqual([
    "different version of s: Before 1.0.0, After 1.1.0",
    "different version of eval-skills: Before 1.0.0, After 2.0.0",
  ]);
  expect(differing(withRun({}, { suites: suites("") }), withRun({}, { suites: suites("1.1.0") }))).toEqual([
    "different version of s: Before not recorded, After 1.1.0",
  ]);
  expect(
    differing(withRun({}, { suites: suites("1.0.0") }), withRun({}, { suites: suites("1.1.0", "agent") })),
  ).toEqual([]);
});
