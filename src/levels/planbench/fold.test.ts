import { describe, expect, test } from "vitest";
import { noTitle, sampleAttempt, samplePlanResult, wrongAnchor } from "../../../test/sample-plan-result.ts";
import { strata } from "../../contract/planbench-file.ts";
import { type PlanResult, PlanTable } from "../../contract/planbench-report.ts";
import { seededRandom } from "../../shared/statistics/seeded-random.ts";
import { planFold, roundTable } from "./fold.ts";

const bad = sampleAttempt({ violations: [wrongAnchor] });
const good = sampleAttempt();
const after = (repairs: number) => ({ attempts: [...Array(repairs).fill(bad), good] });
const routedCases = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ caseId: `c${n}`, stratum: "routed" as const }));

function foldOf(results: readonly PlanResult[], given: Partial<Parameters<typeof planFold>[0]> = {}) {
  const ids = new Map(results.map(({ caseId, route }) => [caseId, route]));
  const cases = [...ids].map(([caseId, stratum]) => ({ caseId, stratum }));
  const fold = planFold({ cases, samples: 1, hasExecutor: false, target: "model", ...given });
  for (const result of results) fold.add(result);
  return fold;
}

/** The tables of these results as they are written. */
function tablesOf(...args: Parameters<typeof foldOf>) {
  const fold = foldOf(...args);
  return strata.flatMap((route) => fold.table(route) ?? []).map(roundTable);
}

/** The first of them. */
function tableOf(...args: Parameters<typeof foldOf>) {
  const [table] = tablesOf(...args);
  if (table === undefined) throw new Error("no table");
  return table;
}

describe("the figures of a bench", () => {
  test("the example of the reference comes out as it stands there", () => {
    const repairs = [...Array(63).fill(0), ...Array(12).fill(1), ...Array(4).fill(2), 3, 3];
    const results = Array.from({ length: 90 }, (_, n) =>
      samplePlanResult({
        caseId: `c${n % 30}`,
        sample: Math.floor(n / 30) + 1,
        ...(n < 81 ? after(repairs[n]) : { outcome: "fail", attempts: [bad] }),
      }),
    );
    const table = tableOf(results, { samples: 3 });

    expect(PlanTable.parse(table)).toEqual(table);
    expect(table).toMatchObject({
      ...{ route: "routed", planned: 90, n: 90, ok: 81, fail: 9, error: 0, ok0Rate: 0.7, successRate: 0.9 },
      buckets: { "0": 63, "1": 12, "2": 4, "3": 2, "4": 0, "5": 0, fail: 9 },
      meanRepairs: 0.321,
      coverage: 1,
      intervals: { ok0Rate: { method: "wilson-neff", estimates: "cases-like-these", cases: 30, trials: 90 } },
    });
  });

  test("over nothing every figure is null, and an error counts nowhere but in its own column", () => {
    const table = tableOf([samplePlanResult({ outcome: "error", attempts: [bad], selected: null })]);

    expect(table).toMatchObject({
      ...{ planned: 1, n: 0, ok: 0, fail: 0, error: 1, ok0Rate: null, successRate: null, meanRepairs: null },
      intervals: { ok0Rate: null, successRate: null },
      firstMs: { avg: null, p95: null },
      sampleMs: { avg: null, p95: null },
      tokens: { first: null, repairs: null, total: null, known: 0 },
      coverage: 0,
      hitRate: null,
      topFailures: [],
    });
  });

  test("five repairs and more are one bucket; their mean is over what became ok", () => {
    const results = [5, 7, 0].map((repairs, n) => samplePlanResult({ caseId: `c${n}`, ...after(repairs) }));
    const failed = samplePlanResult({ caseId: "no", outcome: "fail", attempts: [bad] });
    expect(tableOf([...results, failed])).toMatchObject({
      buckets: { "0": 1, "4": 0, "5": 2, fail: 1 },
      meanRepairs: 4,
    });
  });

  test("times are over failures too, and a first attempt that the deadline cut off took it all", () => {
    const slow = { outcome: "fail" as const, attempts: [], ms: 60_000 };
    const results = [
      samplePlanResult({ caseId: "a", attempts: [sampleAttempt({ ms: 100 })] }),
      samplePlanResult({ caseId: "b", ...slow }),
    ];
    expect(tableOf(results)).toMatchObject({
      firstMs: { avg: 30_050, p95: 60_000 },
      sampleMs: { avg: 30_050, p95: 60_000 },
    });
    // A service does not report when its first attempt ended, so the time is unknown.
    expect(tableOf([samplePlanResult({ ...after(1), firstMs: null })]).firstMs).toEqual({
      avg: null,
      p95: null,
    });
  });

  test("tokens are means over the samples that told, with their number", () => {
    const results = [
      samplePlanResult({ caseId: "a", ...after(1) }),
      samplePlanResult({ caseId: "b", attempts: [sampleAttempt({ tokens: null })] }),
    ];
    expect(tableOf(results).tokens).toEqual({ first: 412, repairs: 412, total: 824, known: 1 });
  });

  test("an executor is judged by the valid plans that it was handed, attempt by attempt", () => {
    const refused = sampleAttempt({ executed: false, violations: [noTitle] });
    const results = [
      samplePlanResult({ caseId: "a", attempts: [bad, refused, sampleAttempt({ executed: true })] }),
      samplePlanResult({ caseId: "b", outcome: "fail", attempts: [refused] }),
    ];
    expect(tableOf(results, { hasExecutor: true }).execRate).toBe(0.3333);
    expect(tableOf([samplePlanResult()], { hasExecutor: true }).execRate).toBeNull();
    expect(tableOf(results)).not.toHaveProperty("execRate");
  });

  test("the commonest reasons of failure: once a sample, places without indices, ties by code units, six of them", () => {
    const failing = (caseId: string, ...violations: { pointer: string; reason: string }[]) =>
      samplePlanResult({ caseId, outcome: "fail", attempts: [sampleAttempt({ violations })] });
    const results = [
      failing("a", wrongAnchor, { ...wrongAnchor, pointer: "/actions/0/anchor" }),
      failing("b", { ...wrongAnchor, pointer: "/actions/11/anchor" }),
      ...["e", "d", "C", "b", "a", "é"].map((reason) => failing(reason, { pointer: "", reason })),
      samplePlanResult({ caseId: "late", outcome: "fail", attempts: [], cause: "deadline" }),
      samplePlanResult({ caseId: "fine", ...after(1) }),
    ];
    expect(tableOf(results).topFailures).toEqual([
      { reason: "/actions/*/anchor must be equal to constant", count: 2 },
      ...["C", "a", "b", "d", "deadline"].map((reason) => ({ reason, count: 1 })),
    ]);
  });

  test("what a parser quotes and how long a text is make no other reason", () => {
    const reasons = [
      "is not one JSON value: Unexpected token 'S', \"Sure! Here\"... is not valid JSON",
      "is not one JSON value: Unexpected token 'H', \"Here is it\"... is not valid JSON",
      "is not one JSON value: Unterminated string in JSON at position 20 (line 2 column 3)",
      "is not one JSON value: Unterminated string in JSON at position 7",
      "has 210 characters, and at most 200 are allowed",
      "has 3000 characters, and at most 200 are allowed",
    ];
    const results = reasons.map((reason, n) =>
      samplePlanResult({ caseId: `c${n}`, outcome: "fail", violations: [{ pointer: "", reason }] }),
    );
    expect(tableOf(results).topFailures).toEqual([
      { reason: "has * characters, and at most 200 are allowed", count: 2 },
      { reason: "is not one JSON value: Unexpected token", count: 2 },
      { reason: "is not one JSON value: Unterminated string in JSON", count: 2 },
    ]);
  });

  test("of routed cases the hit rate is known where somebody was asked; others have none", () => {
    const results = [
      samplePlanResult({ caseId: "a" }),
      samplePlanResult({ caseId: "b", selected: [] }),
      samplePlanResult({ caseId: "c", selected: null }),
      samplePlanResult({ caseId: "f", route: "forced", selected: [] }),
    ];
    const [routed, forced] = tablesOf(results);
    expect(routed?.hitRate).toBe(0.5);
    expect(forced).not.toHaveProperty("hitRate");
  });

  test("strata are never pooled: forced and fixed cases move no routed figure", () => {
    const routed = [samplePlanResult({ caseId: "a" })];
    const others = (["fixed", "forced"] as const).map((route) =>
      samplePlanResult({ caseId: route, route, outcome: "fail", attempts: [bad] }),
    );
    const tables = tablesOf([...others, ...routed]);

    expect(tables.map(({ route }) => route)).toEqual(["routed", "forced", "fixed"]);
    expect(tables[0]).toEqual(tableOf(routed));
  });
});

describe("intervals", () => {
  test("samples of one case that always agree say no more than one of them", () => {
    const once = Array.from({ length: 10 }, (_, n) =>
      samplePlanResult({ caseId: `c${n}`, ...(n === 0 ? { outcome: "fail", attempts: [bad] } : {}) }),
    );
    const twice = once.flatMap((one) => [one, { ...one, sample: 2 }]);

    const bounds = { lower: 0.5958, upper: 0.9821, nEff: 10, cases: 10 };
    expect(tableOf(once).intervals.successRate).toMatchObject({ ...bounds, trials: 10 });
    expect(tableOf(twice, { samples: 2 }).intervals.successRate).toMatchObject({ ...bounds, trials: 20 });
  });

  test.each([
    ["all ok: as many cases as there are", 2, 10, 0.7225, 1],
    // 20 · (z/t₉)²
    ["half of each case ok: nearly as many as samples", 1, 15.0135, 0.2743, 0.7257],
  ])("cases that are all alike under repetition: %s", (_, ok, nEff, lower, upper) => {
    const results = Array.from({ length: 20 }, (_, n) =>
      samplePlanResult({
        caseId: `c${n % 10}`,
        sample: 1 + Math.floor(n / 10),
        ...(n < ok * 10 ? {} : { outcome: "fail", attempts: [bad] }),
      }),
    );
    expect(tableOf(results, { samples: 2 }).intervals.successRate).toMatchObject({ lower, upper, nEff });
  });
});

describe("random results", () => {
  test("are counted as somebody would count them by hand, in whichever order they come", () => {
    const random = seededRandom(20260203);
    const draws = new Uint32Array(1);
    const below = (limit: number) => {
      random.fillBelow(draws, limit);
      return draws[0] as number;
    };
    for (let round = 0; round < 60; round++) {
      const cases = 1 + below(6);
      const samples = 1 + below(4);
      const results = Array.from({ length: cases * samples }, (_, n) => randomResult(n, cases, below)).filter(
        () => below(10) > 0,
      );
      const planned = { cases: routedCases(cases), samples, hasExecutor: true };
      const table = tableOf(results, planned);
      expect(table).toMatchObject(recount(results, cases * samples));
      expect(tableOf(results.toReversed(), planned)).toEqual(table);
    }
  });
});

function randomResult(n: number, cases: number, below: (limit: number) => number): PlanResult {
  const outcome = (["ok", "ok", "fail", "error"] as const)[below(4)] ?? "ok";
  const tries = outcome === "ok" ? below(8) : 1 + below(3);
  const attempt = (violations: PlanResult["violations"], executed: boolean | null) =>
    sampleAttempt({ ms: below(1_000) / 8, tokens: below(4) === 0 ? null : below(500), violations, executed });
  const wrong = Array.from({ length: tries }, () =>
    attempt([{ pointer: `/a/${below(3)}/b`, reason: `r${below(9)}` }], below(2) === 0 ? null : false),
  );
  return samplePlanResult({
    caseId: `c${n % cases}`,
    sample: Math.floor(n / cases) + 1,
    outcome,
    attempts: outcome === "ok" ? [...wrong, attempt([], below(2) === 0 ? null : true)] : wrong,
    selected: [null, [], ["x"]][below(3)] ?? null,
  });
}

/** Every figure by its definition, with no thought of speed. */
function recount(all: readonly PlanResult[], planned: number) {
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : Number((values.reduce((a, b) => a + b, 0) / values.length).toFixed(4));
  const p95 = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.ceil(0.95 * values.length) - 1] ?? null;
  const counted = all.filter(({ outcome }) => outcome !== "error");
  const ok = counted.filter(({ outcome }) => outcome === "ok");
  const failed = counted.filter(({ outcome }) => outcome === "fail");
  const share = (part: number, whole: number) => (whole === 0 ? null : Number((part / whole).toFixed(4)));
  const inBucket = (isIn: (repairs: number) => boolean) =>
    ok.filter(({ repairs }) => isIn(repairs ?? -1)).length;
  const known = counted.flatMap(({ tokens }) => (tokens === null ? [] : [tokens]));
  const handed = counted.flatMap(({ attempts }) => attempts).filter(({ executed }) => executed !== null);
  const routed = all.filter(({ selected }) => selected !== null);
  const routedIds = [...new Set(routed.map(({ caseId }) => caseId))];
  const missed = new Set(routed.filter(({ selected }) => selected?.length === 0).map(({ caseId }) => caseId));
  const reasons = failed.flatMap(({ violations }) => [
    ...new Set(violations.map(({ pointer, reason }) => `${pointer.replaceAll(/\d/g, "*")} ${reason}`)),
  ]);
  const top = [...new Set(reasons)]
    .map((reason) => ({ reason, count: reasons.filter((one) => one === reason).length }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  return {
    planned,
    n: counted.length,
    ok: ok.length,
    fail: failed.length,
    error: all.length - counted.length,
    ok0Rate: share(
      inBucket((repairs) => repairs === 0),
      counted.length,
    ),
    successRate: share(ok.length, counted.length),
    buckets: {
      "0": inBucket((repairs) => repairs === 0),
      "1": inBucket((repairs) => repairs === 1),
      "2": inBucket((repairs) => repairs === 2),
      "3": inBucket((repairs) => repairs === 3),
      "4": inBucket((repairs) => repairs === 4),
      "5": inBucket((repairs) => repairs >= 5),
      fail: failed.length,
    },
    meanRepairs: mean(ok.map(({ repairs }) => repairs ?? 0)),
    firstMs: { p95: p95(counted.map(({ firstMs }) => firstMs ?? 0)) },
    sampleMs: { p95: p95(counted.map(({ ms }) => ms ?? 0)) },
    tokens: {
      first: mean(known.map(({ first }) => first)),
      repairs: mean(known.map(({ repairs }) => repairs)),
      total: mean(known.map(({ total }) => total)),
      known: known.length,
    },
    execRate: share(handed.filter(({ executed }) => executed === true).length, handed.length),
    coverage: share(counted.length, planned),
    hitRate: share(routedIds.length - missed.size, routedIds.length),
    topFailures: top.slice(0, 6),
  };
}
