import { describe, expect, test } from "vitest";
import type { AgentResult, CellTallies } from "../../contract/agent-report.ts";
import { agentFold } from "./agent-fold.ts";
import type { PlannedCase } from "./case-row.ts";

describe("agentFold", () => {
  test("a case passes when as many of its trials pass as it asks for", () => {
    const fold = agentFold({ cases: [planned("often", { min_pass_rate: 0.7 })], seed: 0 });
    for (let trial = 1; trial <= 10; trial++)
      fold.add(result("often", { trial, status: trial <= 7 ? "pass" : "fail" }));
    const { cases, totals, pass_rate } = fold.summary();
    expect(cases).toMatchObject([{ case_id: "often", pass: true, trials: 10, passed: 7, pass_rate: 0.7 }]);
    expect(totals).toEqual({ cells: 10, pass: 7, fail: 3, invalid: 0 });
    expect(pass_rate).toMatchObject({ value: 0.7, interval: { cases: 1, trials: 10, nEff: 1 } });
  });

  test("with one trial a case the pass rate has a Wilson interval", () => {
    const ids = ["a", "b", "c", "d"];
    const fold = agentFold({ cases: ids.map((id) => planned(id)), seed: 0 });
    for (const id of ids) fold.add(result(id, { status: id === "d" ? "fail" : "pass" }));
    const { pass_rate } = fold.summary();
    expect(pass_rate.value).toBe(0.75);
    expect(pass_rate.interval?.lower).toBeCloseTo(0.3006, 4);
  });

  test("what has no verdict is counted and in no rate", () => {
    const fold = agentFold({ cases: [planned("a"), planned("b")], seed: 0 });
    fold.add(result("a", { status: "pass" }));
    fold.add(result("b", { status: "invalid" }));
    const { cases, totals, pass_rate } = fold.summary();
    expect(totals).toEqual({ cells: 2, pass: 1, fail: 0, invalid: 1 });
    expect(pass_rate.value).toBe(1);
    expect(cases[1]).toMatchObject({ pass: null, trials: 1, verdicts: 0, pass_rate: null });
  });

  test("scripts make no metrics, and how they selected is known all the same", () => {
    const fold = agentFold({ cases: [planned("a", { level: "L1" })], seed: 0 });
    fold.add(result("a", { status: "pass", tallies: { trigger: selections(1, 2, 1, 1) } }));
    expect(fold.summary()).toMatchObject({ metrics: null, selection: { precision: 0.5, recall: 1 } });
  });

  test("rates are sums over sums, and unknown usage is counted apart", () => {
    const fold = agentFold({ cases: [planned("a"), planned("b")], seed: 0 });
    fold.add(
      result("a", {
        status: "pass",
        tallies: {
          turns: 3,
          first_pass: 2,
          final_valid: 3,
          retry_tokens: 10,
          tokens: 100,
          trigger: selections(1, 2, 1, 1),
        },
      }),
    );
    fold.add(
      result("b", {
        status: "fail",
        tallies: {
          turns: 1,
          first_pass: 1,
          final_valid: 1,
          unknown_usage: 1,
          cost_usd: null,
          trigger: selections(1, 1, 0, 1),
        },
      }),
    );
    const { metrics } = fold.summary();
    expect(metrics).toMatchObject({
      first_pass_json: { value: 0.75, numerator: 3, denominator: 4 },
      final_json: { value: 1 },
      retry_cost: { value: 0.1, unknown_calls: 1 },
      trigger_precision: { numerator: 2, denominator: 3 },
      trigger_recall: { value: 0.5 },
      cost: { cost_usd: null },
    });
  });

  test("pass@k and pass^k are means over the cases with so many verdicts", () => {
    const fold = agentFold({ cases: [planned("a"), planned("b")], seed: 0 });
    for (const [id, verdicts] of Object.entries({ a: ["pass", "fail"], b: ["pass"] } as const))
      for (const [n, status] of verdicts.entries()) fold.add(result(id, { trial: n + 1, status }));
    const { metrics } = fold.summary();
    expect(metrics?.pass_at_k).toEqual({ 1: 0.75, 2: 1 });
    expect(metrics?.pass_hat_k).toEqual({ 1: 0.75, 2: 0 });
  });

  test("the baseline is paired by case and in no total", () => {
    const fold = agentFold({ cases: [planned("a"), planned("b")], seed: 0 });
    for (const id of ["a", "b"]) {
      fold.add(result(id, { status: "pass" }));
      fold.add(result(id, { status: id === "a" ? "fail" : "invalid", condition: "no-skills" }));
    }
    const { totals, metrics } = fold.summary();
    expect(totals).toMatchObject({ cells: 2, pass: 2 });
    expect(metrics?.baseline).toMatchObject({ with_skills: 1, no_skills: 0, difference: 1, cases: 1 });
  });

  test("the order in which results come changes nothing", () => {
    const cases = Array.from({ length: 20 }, (_, n) => planned(`case-${n}`));
    const results = cases.flatMap(({ case_id }, n) =>
      [1, 2, 3].map((trial) =>
        result(case_id, {
          trial,
          status: (n + trial) % 3 === 0 ? "fail" : "pass",
          tallies: { turns: n, first_pass: trial, cost_usd: 0.1 * n },
        }),
      ),
    );
    const summaryOf = (ordered: readonly AgentResult[]) => {
      const fold = agentFold({ cases, seed: 7 });
      for (const each of ordered) fold.add(each);
      return JSON.stringify(fold.summary());
    };
    expect(summaryOf([...results].reverse())).toBe(summaryOf(results));
  });
});

function planned(case_id: string, more: Partial<PlannedCase> = {}): PlannedCase {
  return { suite: "s", case_id, case_digest: "", model: "m", level: "L2", min_pass_rate: 1, ...more };
}

function selections(selected_expected: number, selected: number, hits: number, required: number) {
  return { selected_expected, selected, hits, required };
}

interface Change {
  trial?: number;
  status: AgentResult["status"];
  condition?: AgentResult["condition"];
  tallies?: Partial<CellTallies>;
}

function result(
  case_id: string,
  { trial = 1, status, condition = "with-skills", tallies }: Change,
): AgentResult {
  const zero = {
    turns: 0,
    first_pass: 0,
    extracted: 0,
    final_valid: 0,
    retry_tokens: 0,
    tokens: 0,
    unknown_usage: 0,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    trigger: null,
  };
  return {
    suite: "s",
    case_id,
    model: "m",
    trial,
    status,
    condition,
    tallies: { ...zero, ...tallies },
    latency_ms: 5,
  } as AgentResult;
}
