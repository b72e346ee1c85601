import { expect, test } from "vitest";
import type { MetricReport, SubjectReport } from "../contract/document.ts";
import { sampleInterval, sampleSubject } from "../store/samples.ts";
import { evaluateGates, type GateRule } from "./gates.ts";

const rule: GateRule = {
  level: "unit",
  metric: "completionRate",
  on: "point",
  op: ">=",
  threshold: 0.7,
  enforced: true,
  scope: "subject",
};

const interval = sampleInterval(0.5, 0.9);

function subject(
  skillId: string,
  metrics: Record<string, Partial<MetricReport>>,
  changes: Partial<SubjectReport> = {},
): SubjectReport {
  const made = Object.entries(metrics).map(
    ([name, metric]) => [name, { value: null, interval: null, n: 3, better: "up", ...metric }] as const,
  );
  return sampleSubject({ skillId, metrics: Object.fromEntries(made), ...changes });
}

function gatesOf(rules: readonly GateRule[], subjects: readonly SubjectReport[], overall = {}) {
  return evaluateGates(rules, { subjects, overall: new Map(Object.entries(overall)) });
}

test("a rule is held against every subject of its level, and says who it was about", () => {
  const gates = gatesOf(
    [rule],
    [
      subject("good", { completionRate: { value: 0.7 } }),
      subject("bad", { completionRate: { value: 0.69999 } }),
      subject("queries", { completionRate: { value: 0 } }, { level: "trigger" }),
    ],
  );

  const { scope: _, ...reported } = rule;
  expect(gates).toEqual([
    {
      ...reported,
      subject: { suite: "bench", skillId: "good", model: null, arm: null },
      value: 0.7,
      passed: true,
    },
    {
      ...reported,
      subject: { suite: "bench", skillId: "bad", model: null, arm: null },
      value: 0.69999,
      passed: false,
    },
  ]);
});

test.each<[GateRule["on"], GateRule["op"], number, number, boolean]>([
  ["point", ">=", 0.7, 0.7, true],
  ["point", "<=", 0.7, 0.7, true],
  ["point", "<=", 0.69, 0.7, false],
  ["lower", ">=", 0.5, 0.5, true],
  ["lower", ">=", 0.7, 0.5, false],
  ["upper", "<=", 0.9, 0.9, true],
  ["upper", "<=", 0.7, 0.9, false],
])("on the %s a figure must be %s %d: %d passes: %s", (on, op, threshold, value, passed) => {
  const [gate] = gatesOf(
    [{ ...rule, on, op, threshold }],
    [subject("a", { completionRate: { value: 0.7, interval } })],
  );

  expect(gate).toMatchObject({ on, op, threshold, value, passed });
});

test.each<[string, Partial<GateRule>, SubjectReport[]]>([
  ["the figure is not known", {}, [subject("a", { completionRate: { value: null } })]],
  ["there is no such figure", {}, [subject("a", {})]],
  ["its figure has no interval", { on: "lower" }, [subject("a", { completionRate: { value: 1 } })]],
  ["its level has no subject", {}, [subject("a", { completionRate: { value: 1 } }, { level: "trigger" })]],
  ["it applies to nobody", { appliesTo: () => false }, [subject("a", { completionRate: { value: 1 } })]],
  [
    "too few answers came",
    { minCoverage: 0.8 },
    [subject("a", { completionRate: { value: 1 }, coverage: { value: 0.79 } })],
  ],
  [
    "nobody knows how many answers came",
    { minCoverage: 0.8 },
    [subject("a", { completionRate: { value: 1 } })],
  ],
])("nobody can decide a rule where %s", (_, changes, subjects) => {
  expect(gatesOf([{ ...rule, ...changes }], subjects)).toMatchObject([{ value: null, passed: null }]);
});

test("a rule with a least coverage decides where enough answers came", () => {
  const subjects = [subject("a", { completionRate: { value: 1 }, coverage: { value: 0.8 } })];

  expect(gatesOf([{ ...rule, minCoverage: 0.8 }], subjects)).toMatchObject([{ value: 1, passed: true }]);
});

test("a rule applies to whom it says, and to nobody else", () => {
  const subjects = ["a", "b"].map((id) => subject(id, { completionRate: { value: 0 } }));
  const only: GateRule = { ...rule, appliesTo: ({ skillId }) => skillId === "b" };

  expect(gatesOf([only], subjects)).toMatchObject([{ subject: { skillId: "b" }, passed: false }]);
});

test("a rule on the run is one gate on the figure over all subjects of its level", () => {
  const onRun: GateRule = { ...rule, metric: "failedCases", op: "<=", threshold: 0, scope: "run" };
  const overall = { unit: { failedCases: { value: 2 } }, trigger: { failedCases: { value: 0 } } };

  expect(gatesOf([onRun], [], overall)).toMatchObject([{ subject: null, value: 2, passed: false }]);
  expect(gatesOf([{ ...onRun, level: "trigger" }], [], overall)).toMatchObject([{ value: 0, passed: true }]);
  expect(gatesOf([{ ...onRun, level: "agent" }], [], overall)).toMatchObject([{ value: null, passed: null }]);
});

test("gates come in the order of their rules", () => {
  const subjects = ["a", "b"].map((id) =>
    subject(id, { completionRate: { value: 1 }, errorRate: { value: 0 } }),
  );
  const rules: GateRule[] = [{ ...rule, metric: "errorRate", op: "<=", enforced: false }, rule];

  expect(gatesOf(rules, subjects).map((gate) => [gate.metric, gate.subject?.skillId, gate.enforced])).toEqual(
    [
      ["errorRate", "a", false],
      ["errorRate", "b", false],
      ["completionRate", "a", true],
      ["completionRate", "b", true],
    ],
  );
});

test("where every case is in quarantine, no failure is no pass: neither of a subject nor of a run", () => {
  const none = { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
  const quarantined = { cases: 2, counts: { ...none, total: 2, fail: 2 } };
  const aside = subject("aside", { failures: { value: 0 } }, { counts: none, quarantined });
  const left = subject("left", { failures: { value: 0 } });
  const noFailure: GateRule = { ...rule, metric: "failures", op: "<=", threshold: 0 };
  const ofRun: GateRule = { ...noFailure, scope: "run" };
  const overall = { unit: { failures: { value: 0 } } };
  const passed = (rules: GateRule[], subjects: SubjectReport[]) =>
    gatesOf(rules, subjects, overall).map((gate) => gate.passed);

  expect(passed([noFailure, ofRun], [aside])).toEqual([null, null]);
  expect(passed([noFailure, ofRun], [aside, left])).toEqual([null, true, true]);
});
