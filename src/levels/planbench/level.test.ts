import { expect, test } from "vitest";
import { sampleAttempt, samplePlanResult, wrongAnchor } from "../../../test/sample-plan-result.ts";
import type { SubjectReport } from "../../contract/document.ts";
import { strata } from "../../contract/planbench-file.ts";
import type { PlanResult } from "../../contract/planbench-report.ts";
import { evaluateGates, exitCodeFor } from "../../engine/gates.ts";
import { planFold } from "./fold.ts";
import { type PlanThresholds, planGates, tableMetrics } from "./level.ts";

const failed: Partial<PlanResult> = {
  outcome: "fail",
  attempts: [sampleAttempt({ violations: [wrongAnchor] })],
};

/** The figures of these results, by subject. */
function subjectsOf(results: readonly PlanResult[], missing: readonly [string, PlanResult["route"]][] = []) {
  const routes = new Map([...results.map(({ caseId, route }) => [caseId, route] as const), ...missing]);
  const cases = [...routes].map(([caseId, stratum]) => ({ caseId, stratum }));
  const fold = planFold({ cases, samples: 1, hasExecutor: false, target: "model" });
  for (const result of results) fold.add(result);
  return strata.flatMap((arm): SubjectReport[] => {
    const table = fold.table(arm);
    if (table === null) return [];
    const metrics = Object.entries(tableMetrics(table)).map(
      ([name, { value, interval = null, n = null }]) =>
        [name, { value, interval, n, better: "up" as const }] as const,
    );
    return [
      {
        ...{ skillId: null, skillVersion: "", skillDigest: "", suite: "b", level: "planbench", arm },
        ...{ model: arm === "fixed" ? null : "lab/m", trials: 1, byTag: {}, details: {} },
        counts: { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 },
        metrics: Object.fromEntries(metrics),
      },
    ];
  });
}

/** Gates as they come out, and the exit code they lead to. */
function gated(subjects: SubjectReport[], thresholds: Partial<PlanThresholds>) {
  const none = { minOk0: null, minSuccess: null, maxP95Ms: null, gateOn: "point" } as const;
  const gates = evaluateGates(planGates({ ...none, ...thresholds }), { subjects, overall: new Map() });
  const exitCode = exitCodeFor({ gates, isUnknown: false, isMixed: false, isMissing: false });
  return { gates, exitCode };
}

const nine = Array.from({ length: 10 }, (_, n) =>
  samplePlanResult({ caseId: `c${n}`, ...(n === 0 ? { ...failed, ms: 9_000 } : {}) }),
);

test.each([
  ["nothing asked", {}, 0, []],
  ["a rate that is met exactly", { minSuccess: 0.9 }, 0, [0.9]],
  ["a rate that is not", { minOk0: 0.91 }, 1, [0.9]],
  ["time of a sample, failures included", { maxP95Ms: 8_999.9 }, 1, [9_000]],
  ["time that is met exactly", { maxP95Ms: 9_000 }, 0, [9_000]],
  [
    "the lower bound of a rate, never of a time",
    { minSuccess: 0.5, maxP95Ms: 1, gateOn: "lower" },
    1,
    [0.5958, 9_000],
  ],
  ["nothing at all is still a line", { minSuccess: 0 }, 0, [0.9]],
] as const)("a gate on %s", (_, thresholds, exitCode, values) => {
  const { gates, ...ended } = gated(subjectsOf(nine), thresholds);

  expect(ended.exitCode).toBe(exitCode);
  expect(gates.map(({ value }) => Number(value?.toFixed(4)))).toEqual(values);
  expect(gates.find(({ metric }) => metric === "sampleP95Ms")?.on ?? "point").toBe("point");
});

test("each is held against routed and forced cases, never against fixed ones", () => {
  const results = strata.map((route) =>
    samplePlanResult({ caseId: route, route, ...(route === "fixed" ? failed : {}) }),
  );
  const { gates, exitCode } = gated(subjectsOf(results), { minOk0: 1, minSuccess: 1 });

  expect(exitCode).toBe(0);
  expect(gates.map(({ metric, subject }) => `${metric} ${subject?.arm}`)).toEqual([
    ...["ok0Rate routed", "ok0Rate forced", "successRate routed", "successRate forced"],
  ]);
});

test.each([
  ["19 of 20 samples are enough", 19, true, 0],
  ["18 of 20 give no verdict, however good", 18, null, 3],
])("%s", (_, count, passed, exitCode) => {
  const results = Array.from({ length: count }, (_, n) => samplePlanResult({ caseId: `c${n}` }));
  const missing = Array.from({ length: 20 }, (_, n) => [`c${n}`, "routed"] as [string, "routed"]);
  const ended = gated(subjectsOf(results, missing), { minSuccess: 0.5 });

  expect(ended).toMatchObject({ exitCode, gates: [{ passed }] });
});

test("no verdict beats a failed gate, and a gate that nobody answers has none", () => {
  const one = samplePlanResult({ caseId: "c0", ...failed });
  expect(gated(subjectsOf([one], [["missing", "forced"]]), { minSuccess: 1 })).toMatchObject({
    exitCode: 3,
    gates: [{ passed: false }, { passed: null }],
  });
  const fixed = subjectsOf([samplePlanResult({ route: "fixed" })]);
  expect(gated(fixed, { minSuccess: 1 })).toMatchObject({ exitCode: 3, gates: [{ subject: null }] });
  expect(gated(fixed, {})).toEqual({ exitCode: 0, gates: [] });
});
