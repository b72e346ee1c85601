import { expect, test } from "vitest";
import { allowance, caseRates, seededDraws } from "../../test/simulated-runs.ts";
import type { MetricReport, SubjectReport } from "../contract/document.ts";
import { sampleSubject } from "../store/samples.ts";
import { correctGates } from "./family-wise-gates.ts";
import { rateFigure } from "./figures/rate-figure.ts";
import { evaluateGates, type GateRule } from "./gates.ts";

const rule: GateRule = {
  ...{ level: "unit", metric: "completionRate", on: "lower", op: ">=", threshold: 0.8 },
  ...{ enforced: true, scope: "subject" },
};

function skill(skillId: string, passed: readonly number[], trials: number): SubjectReport {
  const figure = rateFigure({ passed, trials: passed.map(() => trials) });
  const { value, interval = null, n = null } = figure;
  const completionRate: MetricReport = { value, interval, n, better: "up" };
  return sampleSubject({ skillId, metrics: { completionRate } });
}

function gatesOf(subjects: readonly SubjectReport[], changes: Partial<GateRule> = {}) {
  const gates = evaluateGates([{ ...rule, ...changes }], { subjects, overall: new Map() });
  return { gates, corrected: correctGates(gates, subjects) };
}

const all = (cases: number) => Array.from({ length: cases }, () => 1);

test("a skill alone is decided by its bound, as without the correction", () => {
  for (let cases = 5; cases < 30; cases++) {
    const { gates, corrected } = gatesOf([skill("one", all(cases), 1)]);
    expect(corrected[0]?.passed, `${cases} cases`).toBe(gates[0]?.passed);
  }
});

test("among many, a bound just above the line may be luck, one far above it is not", () => {
  const skills = [
    skill("far", all(100), 1),
    ...Array.from({ length: 9 }, (_, n) => skill(`n${n}`, all(16), 1)),
  ];
  const { gates, corrected } = gatesOf(skills);

  expect(gates.map(({ passed }) => passed)).toEqual(skills.map(() => true));
  expect(corrected.map(({ passed }) => passed)).toEqual(skills.map((_, at) => at === 0));
  // scipy 1.10.1: norm.sf(2) = 0.022750131948179216; nine of that size are corrected by nine.
  expect(corrected[1]?.familyWise).toEqual({ verdicts: 10, p: expect.closeTo(0.204751187533613, 12) });
});

test("an upper bound of errors is corrected the same way", () => {
  const errors = (skillId: string, wrong: number) => {
    const { metrics } = skill(
      skillId,
      Array.from({ length: 40 }, (_, at) => (at < wrong ? 1 : 0)),
      1,
    );
    return sampleSubject({ skillId, metrics: { errorRate: metrics.completionRate as MetricReport } });
  };
  const limit = { metric: "errorRate", on: "upper", op: "<=", threshold: 0.1 } as const;

  const { corrected } = gatesOf([errors("none", 0), errors("some", 3)], limit);

  expect(corrected.map(({ passed }) => passed)).toEqual([false, false]);
  expect(gatesOf([errors("none", 0)], limit).corrected[0]?.passed).toBe(true);
});

test("what has no test stays as it is: points, what is unknown, and bounds of no rate", () => {
  const { corrected } = gatesOf([skill("one", all(20), 1)], { on: "point" });
  expect(corrected[0]).toMatchObject({ passed: true });
  expect(corrected[0]).not.toHaveProperty("familyWise");

  const { gates, corrected: unknown } = gatesOf([skill("none", [], 1)]);
  expect(unknown).toEqual(gates);

  const derived = skill("derived", all(40), 1);
  const { completionRate } = derived.metrics;
  if (completionRate?.interval != null) completionRate.interval.nEff = null;
  expect(gatesOf([derived]).corrected).toEqual(gatesOf([derived]).gates);
});

test("a gate that is not enforced has no verdict, corrected or not", () => {
  const { corrected } = gatesOf([skill("one", all(40), 1)], { enforced: false });

  expect(corrected[0]).toMatchObject({ passed: null, familyWise: { verdicts: 1 } });
});

/** Families of skills that are exactly as good as the line, in which the gate passes at least one. */
function falsePasses(
  skills: number,
  families: number,
  correlation: number,
): { plain: number; corrected: number } {
  const draws = seededDraws(31);
  const rates = caseRates(0.8, correlation, draws);
  const found = { plain: 0, corrected: 0 };
  for (let family = 0; family < families; family++) {
    const subjects = Array.from({ length: skills }, (_, n) =>
      skill(
        `s${n}`,
        Array.from({ length: 20 }, () => {
          const rate = rates[Math.floor(draws.uniform() * rates.length)] as number;
          return [0, 1, 2].filter(() => draws.uniform() < rate).length;
        }),
        3,
      ),
    );
    const { gates, corrected } = gatesOf(subjects);
    if (gates.some(({ passed }) => passed)) found.plain++;
    if (corrected.some(({ passed }) => passed)) found.corrected++;
  }
  return { plain: found.plain / families, corrected: found.corrected / families };
}

test.each([0, 0.3, 0.6, 1])(
  "of ten skills that only just reach the line, correlation %d, any passes in at most 5 of 100 families",
  (correlation) => {
    const { plain, corrected } = falsePasses(10, 2000, correlation);

    expect(corrected).toBeLessThanOrEqual(0.05 + allowance(0.05, 2000));
    expect(corrected).toBeLessThanOrEqual(plain);
  },
);
