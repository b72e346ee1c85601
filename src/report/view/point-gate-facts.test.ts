import { expect, test } from "vitest";
import type { GateReport } from "../../contract/document.ts";
import { singleRateFigure } from "../../engine/figures/rate-figure.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { sampleSubject } from "../../store/samples.ts";
import { pointGateFacts } from "./point-gate-facts.ts";

const gate: GateReport = {
  ...{ level: "unit", metric: "completionRate", on: "point", op: ">=", threshold: 0.8 },
  ...{ subject: null, value: 1, passed: true, enforced: true },
};

function worth(changes: Partial<GateReport>, cases: number): string[] {
  const { value, interval = null } = singleRateFigure(cases, cases);
  const figure = { value, interval, n: cases, better: "up" } as const;
  const subject = sampleSubject({
    metrics: { completionRate: figure, errorRate: figure, latencyP95Ms: figure },
  });
  const { suite, skillId, model, arm } = subject;
  const report = {
    gates: [{ ...gate, subject: { suite, skillId, model, arm }, ...changes }],
    subjects: [subject],
  };
  return pointGateFacts(report, [unitLevel]).map(({ value: words }) => String(words));
}

// P(Bin(20, 0.7) ≥ 16) = 0.2375, P(Bin(2, 0.7) ≥ 2) = 0.49, P(Bin(20, 0.8) ≥ 18) = 0.2061, P(Bin(200, 0.7) ≥ 160) = 0.0010
test.each<[string, Partial<GateReport>, number, string[]]>([
  [
    "a gate over some cases",
    {},
    20,
    ["point gate on completion at 80% with 20 tasks: a skill at 70% passes about 1 time in 4"],
  ],
  [
    "a gate over two",
    {},
    2,
    ["point gate on completion at 80% with 2 tasks: a skill at 70% passes about 1 time in 2"],
  ],
  [
    "a gate over many",
    {},
    200,
    ["point gate on completion at 80% with 200 tasks: a skill at 70% passes less than 1 time in 200"],
  ],
  [
    "a limit",
    { metric: "errorRate", op: "<=", threshold: 0.1 },
    20,
    ["point gate on error rate at 10% with 20 tasks: a skill at 20% passes about 1 time in 5"],
  ],
  [
    "a gate on a whole run",
    { subject: null },
    20,
    ["point gate on completion at 80% with 20 tasks: a skill at 70% passes about 1 time in 4"],
  ],
  ["a gate on a bound", { on: "lower" }, 20, []],
  ["a gate that nobody enforces", { enforced: false }, 20, []],
  ["a gate on time", { metric: "latencyP95Ms", op: "<=", threshold: 0.5 }, 20, []],
  ["a gate that cannot fail", { threshold: 0 }, 20, []],
])("%s says what it is worth", (_, changes, cases, words) => {
  expect(worth(changes, cases)).toEqual(words);
});
